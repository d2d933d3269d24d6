#if canImport(COpenVINO)
  internal import COpenVINO

  /// OpenVINO on the processor, loaded from a folder when it is requested.
  ///
  /// Nothing of it is linked: Plumbline builds and runs without it. It stays loaded until the process
  /// ends, since its threads may outlive every network.
  ///
  /// - Source: the C headers inside the wheel `openvino` 2026.4.1 on PyPI (Apache-2.0).
  public struct OpenVINORuntime: ModelFileRuntime {
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
    let library: OpenVINOLibrary

    /// Loads the library of a folder, such as `openvino/libs` of the wheel.
    ///
    /// - Throws: `.notInstalled` where it is not there, `.failed` where it cannot be loaded. Cost: some
    ///   50 ms the first time.
    public init(folder: String, precision: Precision = .exact) throws(InferenceError) {
      library = try OpenVINOLibrary(folder: folder)
      name = "OpenVINO \(library.version)"
      self.precision = precision
    }

    /// Loads a model whose bytes are at hand; its structure is checked before OpenVINO sees it.
    public func network(
      _ file: ModelFile, inputShapes: [[Int]], threads: Int
    ) throws(InferenceError) -> any NeuralNetwork {
      precondition(threads >= 1, "a run needs a thread")
      try file.check()
      return try OpenVINONetwork(
        .bytes(file.bytes), name: file.name, of: library, inputShapes: inputShapes,
        threads: threads, isReduced: precision == .reduced)
    }
  }
#endif
