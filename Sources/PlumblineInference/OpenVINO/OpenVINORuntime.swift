#if canImport(COpenVINO)
  internal import COpenVINO

  /// OpenVINO on the processor, loaded from a folder when it is asked for.
  ///
  /// Nothing of it is linked: Plumbline builds and runs without it. It stays loaded until the process
  /// ends, since its threads may outlive every network.
  ///
  /// - Source: the C headers inside the wheel `openvino` 2026.4.1 on PyPI (Apache-2.0).
  public struct OpenVINORuntime: InferenceRuntime {
    /// In which numbers a network runs.
    public enum Precision: String, Sendable, CaseIterable {
      /// 32-bit floats.
      case exact
      /// bfloat16 where the processor has it: about twice as fast there, with 8 bits of mantissa.
      case reduced
    }

    /// The file of the folder that is loaded; what it needs is found beside it.
    public static let libraryFile = "libopenvino_c.so.2641"

    /// The name and version, such as `OpenVINO 2026.4.1`.
    public let name: String
    /// In which numbers networks run.
    public var precision: Precision
    private let library: OpenVINOLibrary

    /// Loads the library of a folder, such as `openvino/libs` of the wheel.
    ///
    /// - Throws: `.notInstalled` where it is not there, `.failed` where it cannot be loaded. Cost: some
    ///   50 ms the first time.
    public init(folder: String, precision: Precision = .exact) throws(InferenceError) {
      library = try OpenVINOLibrary(folder: folder)
      name = "OpenVINO \(library.version)"
      self.precision = precision
    }

    /// Loads an ONNX or TFLite file.
    ///
    /// The file is read once, and its structure checked before OpenVINO sees it.
    ///
    /// - Parameters:
    ///   - path: The file; its content says which of the two it is.
    ///   - inputShapes: The shapes to fix, in the order of inputs; empty to take the model's own.
    ///   - threads: How many threads a run may use.
    /// - Returns: The network, ready to run.
    /// - Throws: ``InferenceError``.
    /// - Precondition: `threads` is at least 1.
    public func network(
      at path: String, inputShapes: [[Int]], threads: Int
    ) throws(InferenceError) -> any NeuralNetwork {
      try network(ModelFile(path: path), inputShapes: inputShapes, threads: threads)
    }

    /// Loads a model whose bytes are at hand; the rest as above.
    public func network(
      _ file: ModelFile, inputShapes: [[Int]], threads: Int
    ) throws(InferenceError) -> any NeuralNetwork {
      precondition(threads >= 1, "a run needs a thread")
      return try OpenVINONetwork(
        file, of: library, inputShapes: inputShapes, threads: threads,
        isReduced: precision == .reduced)
    }
  }
#endif
