#if canImport(CoreML)
  internal import CoreML
  internal import CoreVideo
  internal import PlumblineModel
  internal import Synchronization
  internal import Vision

  /// A network whose only input is an image in color, run by Core ML; one run at a time.
  ///
  /// Tensors are codes that go into a pixel buffer of the input's size; an image of another size goes
  /// through Vision, which stretches it.
  final class CoreMLImageNetwork: ImageNetwork {
    let inputs: [TensorDescription]
    let outputs: [TensorDescription]
    let scaling: ImageScaling
    private let imageSize: RasterSize
    private let name: String
    private let models: Mutex<Models>

    /// The model, and the same for Vision where Vision scales images.
    private struct Models {
      var model: MLModel
      var visionModel: VNCoreMLModel?
    }

    /// Takes a loaded model.
    ///
    /// - Throws: `.unsupported` for a model that Vision does not take, where Vision is to scale.
    init(
      _ model: sending MLModel, imageSize: RasterSize, inputs: [TensorDescription],
      outputs: [TensorDescription], scaling: ImageScaling, name: String
    ) throws(InferenceError) {
      var visionModel: VNCoreMLModel?
      if scaling == .system {
        do { visionModel = try VNCoreMLModel(for: model) } catch {
          throw InferenceError(
            .unsupported, name, expected: "a model that Vision can run", found: "\(error)")
        }
      }
      models = Mutex(Models(model: model, visionModel: visionModel))
      self.imageSize = imageSize
      self.inputs = inputs
      self.outputs = outputs
      self.scaling = scaling
      self.name = name
    }

    func run(_ tensors: [Tensor]) throws(InferenceError) -> [Tensor] {
      try inputs.checkOpen(tensors, name)
      let result = models.withLock { models in
        Result { () throws(InferenceError) in try self.run(tensors[0], on: models.model) }
      }
      return try result.get()
    }

    private func run(_ codes: Tensor, on model: MLModel) throws(InferenceError) -> [Tensor] {
      let buffer = CVBuffer.image(size: imageSize) { memory, bytesPerRow in
        BGRABytes.write(codes, to: memory, bytesPerRow: bytesPerRow)
      }
      let answer: any MLFeatureProvider
      do {
        let value = MLFeatureValue(pixelBuffer: try existing(buffer))
        answer = try model.prediction(
          from: MLDictionaryFeatureProvider(dictionary: [inputs[0].name: value]))
      } catch {
        throw InferenceError(.failed, name, expected: "a run without error", found: "\(error)")
      }
      return try outputs.tensors(name) { answer.featureValue(for: $0) }
    }

    func run(
      on image: Raster<RGB8>, orientation: ImageOrientation
    ) throws(InferenceError) -> [Tensor] {
      let upright = image.oriented(by: orientation)
      let result = models.withLock { models in
        Result { () throws(InferenceError) in try self.run(on: upright, models.visionModel) }
      }
      return try result.get()
    }

    private func run(
      on upright: Raster<RGB8>, _ model: VNCoreMLModel?
    ) throws(InferenceError) -> [Tensor] {
      guard let model else {
        throw InferenceError(
          .failed, name, expected: "a network that was loaded to scale images by the system",
          found: "one that was not")
      }
      let buffer = CVBuffer.image(upright)
      let request = VNCoreMLRequest(model: model)
      // The whole image is seen, stretched: the only way of Vision that keeps every pixel of a map in place.
      request.imageCropAndScaleOption = .scaleFill
      do {
        try VNImageRequestHandler(cvPixelBuffer: try existing(buffer), options: [:])
          .perform([request])
      } catch {
        throw InferenceError(.failed, name, expected: "a run by Vision", found: "\(error)")
      }
      return try tensors(request.results ?? [])
    }

    /// The outputs that Vision observed, by their names; a model of one output may leave it unnamed.
    private func tensors(_ observations: [VNObservation]) throws(InferenceError) -> [Tensor] {
      var found: [String: Tensor] = [:]
      for observation in observations {
        let isOnly = outputs.count == 1
        if let feature = observation as? VNCoreMLFeatureValueObservation {
          found[isOnly ? outputs[0].name : feature.featureName] = Tensor(feature.featureValue)
        } else if let image = observation as? VNPixelBufferObservation {
          found[isOnly ? outputs[0].name : image.featureName ?? ""] = image.pixelBuffer.grayTensor
        }
      }
      var tensors: [Tensor] = []
      for output in outputs {
        guard let tensor = found[output.name] else {
          throw InferenceError(
            .failed, name, expected: "the output \(output.name) from Vision",
            found: "\(observations.count) others")
        }
        tensors.append(tensor)
      }
      return tensors
    }

    private func existing(_ buffer: CVPixelBuffer?) throws(InferenceError) -> CVPixelBuffer {
      guard let buffer else {
        throw InferenceError(
          .failed, name, expected: "memory for an image of 32 bits a pixel", found: "none")
      }
      return buffer
    }
  }
#endif
