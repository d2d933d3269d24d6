#if os(Linux) && canImport(COpenVINO)
  import PlumblineImages
  import PlumblineIO
  #if canImport(Glibc)
    internal import Glibc
  #elseif canImport(Musl)
    internal import Musl
  #endif

  /// OpenVINO in workers, one for each network; nothing of it is loaded into this process.
  ///
  /// The networks give the same numbers, bit for bit, as those of ``OpenVINORuntime`` with the same count
  /// of threads.
  public struct IsolatedOpenVINORuntime: ModelFileRuntime {
    /// The name and version, such as `OpenVINO 2026.4.1`; a worker that finds another version refuses.
    public let name = "OpenVINO \(RuntimeWheel.version)"
    /// In which numbers networks run.
    public var precision: OpenVINORuntime.Precision
    private let folder: String
    private let workers: NetworkWorkers

    /// Remembers a folder, such as `openvino/libs` of the wheel.
    ///
    /// - Parameters:
    ///   - folder: Where the libraries lie.
    ///   - workers: What starts processes.
    ///   - precision: In which numbers networks run.
    /// - Throws: `.notInstalled` where the library is not there.
    public init(
      folder: String, workers: NetworkWorkers, precision: OpenVINORuntime.Precision = .exact
    ) throws(InferenceError) {
      _ = try OpenVINOLibrary.path(in: folder)
      // The worker compares names with this one; OpenVINO asks by the real one.
      guard let real = realpath(folder, nil) else {
        throw InferenceError(
          .failed, "OpenVINO", expected: "a folder that can be found",
          found: printable(text: folder))
      }
      defer { free(real) }
      self.folder = String(cString: real)
      self.workers = workers
      self.precision = precision
    }

    /// Checks a model's structure, starts a worker, and has the model loaded there.
    ///
    /// - Parameters:
    ///   - file: An ONNX or TFLite model; its content says which of the two it is.
    ///   - inputShapes: The shapes to fix, in the order of inputs; empty to take the model's own.
    ///   - threads: How many threads a run may use.
    /// - Returns: The network, ready to run, whose worker ends with it.
    /// - Throws: What ``OpenVINORuntime`` throws; `.failed` where the worker does not start, ends, or
    ///   takes too long. Cost: starting the program and the runtime, some 0.3 s, beside loading the
    ///   model.
    /// - Precondition: `threads` is at least 1.
    public func network(
      _ file: ModelFile, inputShapes: [[Int]], threads: Int
    ) throws(InferenceError) -> any NeuralNetwork {
      precondition(threads >= 1, "a run needs a thread")
      try file.check()
      let setup = NetworkSetup(
        file, folder: folder, isTFLite: try file.format() == .tflite, inputShapes: inputShapes,
        threads: threads, isReduced: precision == .reduced, answerSeconds: workers.answerSeconds)
      let model: SealedMemory
      do throws(WorkerProcess.Failure) { model = try SealedMemory(file.bytes) } catch {
        throw error.inferenceError(file.name)
      }
      return try IsolatedNetwork(setup, model, workers)
    }
  }
#endif
