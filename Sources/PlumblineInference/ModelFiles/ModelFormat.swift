/// Which kind of model file something is, by its content.
public enum ModelFormat: String, Sendable, CaseIterable {
  /// ONNX.
  case onnx
  /// TensorFlow Lite.
  case tflite
  /// Core ML, as a `.mlmodel`.
  case coreML
  /// An array of NumPy, such as the weights of FCRN's authors.
  case npy

  /// The end of such a file's name.
  public var fileExtension: String {
    switch self {
    case .onnx: "onnx"
    case .tflite: "tflite"
    case .coreML: "mlmodel"
    case .npy: "npy"
    }
  }
}

extension ModelFile {
  /// Which kind of file it is.
  ///
  /// - Throws: `.unsupported` for other known kinds, `.malformed` for anything else.
  public func format() throws(InferenceError) -> ModelFormat {
    if TFLiteModel.recognizes(bytes) { return .tflite }
    if bytes.starts(with: [0x93] + Array("NUMPY".utf8)) { return .npy }
    if let other = otherFormat {
      throw InferenceError(
        .unsupported, name, expected: "an ONNX or TFLite model, or FCRN's weights", found: other)
    }
    var reader = ProtobufReader(bytes[...])
    var hasGraph = false
    do throws(InferenceError) {
      while let field = try reader.next() {
        if case .bytes = field.value {
          if field.number == 7 { hasGraph = true }
          // The model types of Core ML have numbers from 200 on.
          if (200...3000).contains(field.number) { return .coreML }
        }
      }
    } catch { throw error.inside(name) }
    guard hasGraph else {
      throw InferenceError(
        .malformed, name, expected: "an ONNX or TFLite model", found: "another file")
    }
    return .onnx
  }

  private var otherFormat: String? {
    let marks: [([UInt8], String)] = [
      (Array("PK\u{3}\u{4}".utf8), "a ZIP archive, as PyTorch and .mlpackage are"),
      ([0x89] + Array("HDF".utf8), "HDF5, as Keras writes it"),
      (Array("GGUF".utf8), "GGUF"), ([0x80, 0x02], "a pickle, as PyTorch writes it"),
      ([0x80, 0x04], "a pickle"), (Array("<?xml".utf8), "XML, as OpenVINO's own files are"),
    ]
    return bytes.isEmpty
      ? "an empty file" : marks.first { bytes.starts(with: $0.0) }.map { "\($0.1)" }
  }

  /// Checks the structure of a file that a runtime is to be given.
  ///
  /// - Throws: `.malformed` or `.unsupported` with the position.
  public func check() throws(InferenceError) {
    do throws(InferenceError) {
      switch try format() {
      case .onnx: _ = try ONNXModel(bytes)
      case .tflite: _ = try TFLiteModel(bytes)
      case .coreML, .npy:
        throw InferenceError(
          .unsupported, "", expected: "an ONNX or TFLite model",
          found: "weights that `plumbline models import` converts first")
      }
    } catch {
      throw error.subject.hasPrefix(name) ? error : error.inside(name)
    }
  }
}
