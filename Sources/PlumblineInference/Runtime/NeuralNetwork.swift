/// A network that is loaded and ready to run, by any runtime.
///
/// Numbers are `Float` at this border whatever the model's own type; runtimes convert.
public protocol NeuralNetwork: Sendable {
  /// The inputs in the order in which ``run(_:)`` takes them.
  var inputs: [TensorDescription] { get }
  /// The outputs in the order in which ``run(_:)`` gives them.
  var outputs: [TensorDescription] { get }

  /// Runs the network once.
  ///
  /// - Parameter tensors: One for each input, each of a shape that the input allows.
  /// - Returns: One tensor for each output.
  /// - Throws: ``InferenceError`` where shapes do not fit or the runtime fails. Values of the result
  ///   may be NaN: the caller decides what that means.
  func run(_ tensors: [Tensor]) throws(InferenceError) -> [Tensor]
}

/// A runtime that loads networks, such as OpenVINO or Core ML.
public protocol InferenceRuntime: Sendable {
  /// The name and version, such as `OpenVINO 2026.4.1`.
  var name: String { get }

  /// Loads a model file.
  ///
  /// - Parameters:
  ///   - path: An ONNX or TFLite file (a compiled Core ML model on Apple platforms).
  ///   - inputShapes: The shapes to fix where the model leaves them open, in the order of inputs;
  ///     empty to take the model's own.
  ///   - threads: How many threads a run may use.
  /// - Returns: The network, ready to run.
  /// - Throws: ``InferenceError``.
  func network(
    at path: String, inputShapes: [[Int]], threads: Int
  ) throws(InferenceError) -> any NeuralNetwork
}

/// A runtime that takes a model's bytes, and so files of which only a part is the model.
public protocol ModelFileRuntime: InferenceRuntime {
  /// Loads an ONNX or TFLite model whose bytes are at hand; its structure is checked before the runtime
  /// sees it.
  ///
  /// - Parameters:
  ///   - file: The model; its content says which of the two it is.
  ///   - inputShapes: The shapes to fix, in the order of inputs; empty to take the model's own.
  ///   - threads: How many threads a run may use.
  /// - Returns: The network, ready to run.
  /// - Throws: ``InferenceError``.
  /// - Precondition: `threads` is at least 1.
  func network(
    _ file: ModelFile, inputShapes: [[Int]], threads: Int
  ) throws(InferenceError) -> any NeuralNetwork
}

extension ModelFileRuntime {
  /// Loads an ONNX or TFLite file, which is read once; the rest as above.
  ///
  /// - Throws: ``InferenceError``, also where the file cannot be read.
  public func network(
    at path: String, inputShapes: [[Int]], threads: Int
  ) throws(InferenceError) -> any NeuralNetwork {
    try network(ModelFile(path: path), inputShapes: inputShapes, threads: threads)
  }
}
