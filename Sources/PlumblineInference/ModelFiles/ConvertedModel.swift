internal import PlumblineModel

/// An ONNX file made from weights that users bring, with its card.
public struct ConvertedModel: Sendable {
  /// The file.
  public var bytes: [UInt8]
  /// The model card, which is needed to use it.
  public var card: ModelCard
  /// The origin of the model, in words.
  public var origin: String
}

extension ModelFile {
  /// Converts FCRN's weights: Apple's Core ML file, or its authors' array of NumPy.
  ///
  /// Nothing in the file is run. A Core ML network that is not FCRN is converted too, but then the card
  /// only says what the file says, and the user's own must say the rest.
  ///
  /// - Returns: The ONNX file, checked by reading it again, and the card; `nil` for a file that is an
  ///   ONNX or TFLite model already.
  /// - Throws: `.unsupported` with the name of a layer that cannot be converted, `.malformed`.
  public func converted() throws(InferenceError) -> ConvertedModel? {
    do throws(InferenceError) {
      var result: ConvertedModel
      switch try format() {
      case .onnx, .tflite: return nil
      case .npy:
        result = ConvertedModel(
          bytes: try FCRNWriter.onnx(NumPyWeights(bytes)), card: KnownModel.fcrn.card,
          origin: "FCRN's weights for TensorFlow")
      case .coreML:
        let network = try CoreMLConverter.converted(bytes)
        var card = KnownModel.fcrn.card
        if network.inputSize != card.inputSize {
          card.name = "core-ml"
          card.title = "a Core ML network"
          card.license = "unknown"
          card.origin = "unknown"
          card.inputSize = network.inputSize
          card.assumedFocalPixels = nil
        }
        card.channels = network.isBGR ? .bgr : .rgb
        result = ConvertedModel(
          bytes: network.onnx, card: card, origin: "a Core ML neuralNetwork")
      }
      _ = try ONNXModel(result.bytes)
      return result
    } catch {
      throw error.subject.hasPrefix(name) ? error : error.inside(name)
    }
  }
}
