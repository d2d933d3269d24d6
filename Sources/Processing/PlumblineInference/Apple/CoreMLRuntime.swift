#if canImport(CoreML)
  internal import CoreML
  internal import Foundation
  internal import Synchronization

  /// Core ML on Apple platforms; **untried**, type-checked only.
  ///
  /// It runs compiled models (`.mlmodelc`) whose inputs and outputs are arrays of numbers. A model whose
  /// input is an image is refused: Core ML would convert the image, which is what the model card is for.
  ///
  /// - Source: Apple, *Core ML*, `MLModel`, `MLMultiArray`.
  public struct CoreMLRuntime: InferenceRuntime {
    /// `Core ML`.
    public let name = "Core ML"

    /// Creates the runtime, which is part of the system.
    public init() {}

    /// Loads a compiled model.
    ///
    /// - Parameters:
    ///   - path: The `.mlmodelc` folder.
    ///   - inputShapes: Compared with the model's own; Core ML fixes none.
    ///   - threads: Left to the system.
    /// - Returns: The network, on the processor alone, so that its numbers repeat.
    /// - Throws: ``InferenceError``.
    public func network(
      at path: String, inputShapes: [[Int]], threads: Int
    ) throws(InferenceError) -> any NeuralNetwork {
      let network = try CoreMLNetwork(path: path)
      let isAllowed =
        inputShapes.isEmpty
        || inputShapes.count == network.inputs.count
          && zip(network.inputs, inputShapes).allSatisfy { $0.allows($1) }
      guard isAllowed else {
        throw InferenceError(
          .mismatch, path, expected: "inputs of \(inputShapes)",
          found: network.inputs.map(\.shapeText).joined(separator: " and "))
      }
      return network
    }
  }

  /// A network that Core ML runs; one run at a time.
  final class CoreMLNetwork: NeuralNetwork {
    let inputs: [TensorDescription]
    let outputs: [TensorDescription]
    private let path: String
    private let model: Mutex<MLModel>

    init(path: String) throws(InferenceError) {
      let configuration = MLModelConfiguration()
      configuration.computeUnits = .cpuOnly
      let model: MLModel
      do {
        model = try MLModel(
          contentsOf: URL(filePath: path, directoryHint: .isDirectory),
          configuration: configuration)
      } catch {
        throw InferenceError(
          .unsupported, path, expected: "a compiled Core ML model", found: "\(error)")
      }
      let description = model.modelDescription
      inputs = try Self.ports(description.inputDescriptionsByName, path)
      outputs = try Self.ports(description.outputDescriptionsByName, path)
      self.path = path
      self.model = Mutex(model)
    }

    /// The arrays of numbers in the order of their names, since Core ML has no other order.
    private static func ports(
      _ features: [String: MLFeatureDescription], _ path: String
    ) throws(InferenceError) -> [TensorDescription] {
      var ports: [TensorDescription] = []
      for (name, feature) in features.sorted(by: { $0.key < $1.key }) {
        guard let constraint = feature.multiArrayConstraint else {
          throw InferenceError(
            .unsupported, path, expected: "inputs and outputs that are arrays of numbers",
            found: "\(name) of another type")
        }
        // An empty list of lengths means that any length fits.
        ports.append(
          TensorDescription(name: name, shape: constraint.shape.map { $0.intValue }))
      }
      return ports
    }

    func run(_ tensors: [Tensor]) throws(InferenceError) -> [Tensor] {
      guard tensors.count == inputs.count, zip(inputs, tensors).allSatisfy({ $0.allows($1.shape) })
      else {
        throw InferenceError(
          .mismatch, path, expected: inputs.map(\.shapeText).joined(separator: " and "),
          found: "\(tensors.map(\.shape))")
      }
      let result = model.withLock { model in
        Result { () throws(InferenceError) in try self.run(tensors, on: model) }
      }
      return try result.get()
    }

    private func run(_ tensors: [Tensor], on model: MLModel) throws(InferenceError) -> [Tensor] {
      do {
        var values: [String: Any] = [:]
        for (input, tensor) in zip(inputs, tensors) {
          let array = try MLMultiArray(
            shape: tensor.shape.map { NSNumber(value: $0) }, dataType: .float32)
          for (index, value) in tensor.values.enumerated() {
            array[index] = NSNumber(value: value)
          }
          values[input.name] = array
        }
        let answer = try model.prediction(from: MLDictionaryFeatureProvider(dictionary: values))
        return outputs.map { output in
          guard let array = answer.featureValue(for: output.name)?.multiArrayValue else {
            return Tensor(shape: [0], values: [])
          }
          return Tensor(
            shape: array.shape.map { $0.intValue },
            values: (0..<array.count).map { array[$0].floatValue })
        }
      } catch {
        throw InferenceError(.failed, path, expected: "a run without error", found: "\(error)")
      }
    }
  }
#endif
