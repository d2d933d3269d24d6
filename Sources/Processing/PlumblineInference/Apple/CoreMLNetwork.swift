#if canImport(CoreML)
  internal import CoreML
  internal import CoreVideo
  internal import PlumblineModel
  internal import Synchronization

  /// A network of arrays of numbers that Core ML runs; one run at a time.
  final class CoreMLNetwork: NeuralNetwork {
    let inputs: [TensorDescription]
    let outputs: [TensorDescription]
    private let name: String
    private let model: Mutex<MLModel>

    /// Takes a loaded model.
    init(
      _ model: sending MLModel, inputs: [TensorDescription], outputs: [TensorDescription],
      name: String
    ) {
      self.model = Mutex(model)
      self.inputs = inputs
      self.outputs = outputs
      self.name = name
    }

    func run(_ tensors: [Tensor]) throws(InferenceError) -> [Tensor] {
      try inputs.checkOpen(tensors, name)
      let result = model.withLock { model in
        Result { () throws(InferenceError) in try self.run(tensors, on: model) }
      }
      return try result.get()
    }

    private func run(_ tensors: [Tensor], on model: MLModel) throws(InferenceError) -> [Tensor] {
      var values: [String: Any] = [:]
      for (input, tensor) in zip(inputs, tensors) {
        values[input.name] = MLFeatureValue(
          shapedArray: MLShapedArray<Float>(scalars: tensor.values, shape: tensor.shape))
      }
      let answer: any MLFeatureProvider
      do {
        answer = try model.prediction(from: MLDictionaryFeatureProvider(dictionary: values))
      } catch {
        throw InferenceError(.failed, name, expected: "a run without error", found: "\(error)")
      }
      return try outputs.tensors(name) { answer.featureValue(for: $0) }
    }
  }

  extension [TensorDescription] {
    /// Compares tensors with inputs of which lengths may be open.
    ///
    /// - Throws: `.mismatch` about the network of that name.
    func checkOpen(_ tensors: [Tensor], _ name: String) throws(InferenceError) {
      guard tensors.count == count, zip(self, tensors).allSatisfy({ $0.allows($1.shape) }) else {
        throw InferenceError(
          .mismatch, name, expected: map(\.shapeText).joined(separator: " and "),
          found: "\(tensors.map(\.shape))")
      }
    }

    /// The outputs of a run in their order.
    ///
    /// - Throws: `.failed` where one is missing, or of a type that the model did not state.
    func tensors(
      _ name: String, _ value: (String) -> MLFeatureValue?
    ) throws(InferenceError) -> [Tensor] {
      var tensors: [Tensor] = []
      for output in self {
        let feature = value(output.name)
        guard let tensor = feature.flatMap({ Tensor($0) }) else {
          throw InferenceError(
            .failed, name, expected: "the output \(output.name) as numbers",
            found: feature == nil ? "none" : "another type")
        }
        tensors.append(tensor)
      }
      return tensors
    }
  }

  extension Tensor {
    /// The numbers of an array of any type, or of an image of one channel; `nil` for other values.
    init?(_ value: MLFeatureValue) {
      if let array = value.multiArrayValue {
        // Doubles and half floats are converted, padding between rows is left out.
        let shaped = MLShapedArray<Float>(converting: array)
        self.init(shape: shaped.shape, values: shaped.scalars)
      } else if let tensor = value.imageBufferValue?.grayTensor {
        self = tensor
      } else {
        return nil
      }
    }
  }
#endif
