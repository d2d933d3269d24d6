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

/// A runtime that loads networks, such as OpenVINO, ONNX Runtime or Core ML.
public protocol InferenceRuntime: Sendable {
  /// The name and version, such as `OpenVINO 2026.4.1`.
  var name: String { get }
  /// What computes, such as `cpu`; the processor unless a runtime says otherwise.
  var device: String { get }

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

extension InferenceRuntime {
  /// The processor.
  public var device: String { "cpu" }
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

/// An error of loading or running a network: its kind, what was expected and found.
public struct InferenceError: Error, Sendable, Hashable {
  /// The kind of failure, by who can act on it.
  public enum Reason: String, Sendable, CaseIterable {
    /// No runtime or no such model is installed; ``need`` says which.
    case notInstalled
    /// The model file is damaged or hostile.
    case malformed
    /// The model is sound but holds something that cannot be run here.
    case unsupported
    /// The model does not do what its card says, such as another shape.
    case mismatch
    /// The runtime itself failed.
    case failed
  }

  /// What would help, so that a program can say how to get it.
  public enum Need: Sendable, Hashable {
    /// The runtime that runs networks.
    case runtime
    /// The second runtime, ONNX Runtime.
    case secondRuntime
    /// The networks that find faces.
    case faceNetworks
    /// A model of the name, to be brought by the user.
    case model(String)
    /// Another name: no model has this one.
    case knownName
    /// The wheel, fetched by other means.
    case wheel(PackageWheel)
    /// A card that says what the model's numbers mean.
    case card
    /// The model as ONNX, converted once beside this program.
    case conversion
    /// The file of the model, fetched by other means.
    case file(String)
    /// The license of the model, accepted by the user.
    case license(String)
    /// The SHA-256 of the fetched file, compared by the user with another source.
    case checksum(name: String, sha256: String)
  }

  /// The kind of failure, by who can act on it.
  public var reason: Reason
  /// The subject of the failure: a model's name, a file, a layer.
  public var subject: String
  /// What was expected.
  public var expected: String
  /// What was found.
  public var found: String

  /// What would help; `nil` where nothing is known to.
  public var need: Need?

  /// Creates an error from its parts.
  public init(
    _ reason: Reason, _ subject: String, expected: String, found: String, need: Need? = nil
  ) {
    self.need = need
    self.reason = reason
    self.subject = subject
    self.expected = expected
    self.found = found
  }
}

extension InferenceError: CustomStringConvertible {
  /// One sentence, such as `fastdepth-nyu: expected …, found …`.
  public var description: String { "\(subject): expected \(expected), found \(found)" }
}
