#if os(Linux) && canImport(COpenVINO)
  import PlumblineImages
  import PlumblineIO
  #if canImport(Glibc)
    internal import Glibc
  #elseif canImport(Musl)
    internal import Musl
  #endif

  /// A runtime in workers, one for each network; nothing of it is loaded into this process.
  ///
  /// The networks give the same numbers, bit for bit, as those of ``OpenVINORuntime`` or ``ONNXRuntime`` on
  /// the processor with the same count of threads.
  package struct IsolatedRuntime: ModelFileRuntime {
    /// The runtime.
    package let runtime: InstalledRuntime
    /// The name and version, such as `OpenVINO 2026.4.1`; a worker that finds another version refuses.
    package var name: String { "\(runtime.title) \(runtime.version)" }
    /// In which numbers networks run, of OpenVINO.
    package var precision: OpenVINORuntime.Precision
    private let folder: String
    private let workers: NetworkWorkers

    /// Remembers a folder, such as `openvino/libs` of the wheel.
    ///
    /// - Parameters:
    ///   - runtime: Which runtime it is.
    ///   - folder: Where the libraries lie.
    ///   - workers: What starts processes.
    ///   - precision: In which numbers networks run.
    /// - Throws: `.notInstalled` where the library is not there.
    package init(
      _ runtime: InstalledRuntime = .openVINO, folder: String, workers: NetworkWorkers,
      precision: OpenVINORuntime.Precision = .exact
    ) throws(InferenceError) {
      switch runtime {
      case .openVINO: _ = try OpenVINOLibrary.path(in: folder)
      case .onnxRuntime: _ = try ONNXRuntimeLibrary.path(in: folder)
      }
      self.runtime = runtime
      // The worker compares names with this one; OpenVINO asks by the real one.
      guard let real = realpath(folder, nil) else {
        throw InferenceError(
          .failed, runtime.title, expected: "a folder that can be found",
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
    /// - Throws: What the runtime itself throws; `.failed` where the worker does not start, ends, or
    ///   takes too long. Cost: starting the program and the runtime, some 0.3 s, beside loading the
    ///   model.
    /// - Precondition: `threads` is at least 1.
    package func network(
      _ file: ModelFile, inputShapes: [[Int]], threads: Int
    ) throws(InferenceError) -> any NeuralNetwork {
      precondition(threads >= 1, "a run needs a thread")
      try file.check()
      let isTFLite = try file.format() == .tflite
      guard runtime == .openVINO || !isTFLite else { throw ONNXRuntime.refusal(ofTFLite: file) }
      let setup = NetworkSetup(
        file, by: runtime, folder: folder, isTFLite: isTFLite, inputShapes: inputShapes,
        threads: threads, isReduced: precision == .reduced, answerSeconds: workers.answerSeconds)
      let model: SealedMemory
      do throws(WorkerProcess.Failure) { model = try SealedMemory(file.bytes) } catch {
        throw error.inferenceError(file.name)
      }
      return try IsolatedNetwork(setup, model, workers)
    }
  }
#endif

#if os(Linux) && canImport(COpenVINO)
  import PlumblineImages
  import PlumblineIO
  internal import Synchronization

  #if canImport(Glibc)
    internal import Glibc
  #elseif canImport(Musl)
    internal import Musl
  #endif

  /// Starts a process for each network, shut in before the first byte of the model reaches the runtime:
  /// no file, no connection, no program, limited memory and time.
  ///
  /// A process lives as long as its network; one that fails is replaced at the network's next run. Its
  /// identity is its value.
  public final class NetworkWorkers: Sendable {
    /// The program and its arguments.
    private let program: [String]
    /// The time limit for loading a network, in seconds.
    package let startSeconds: Double
    /// The time limit of one run, in seconds.
    package let answerSeconds: Double
    private let launcher = LauncherThread()
    private let starts = Atomic<Int>(0)

    /// The number of workers started so far.
    package var startedCount: Int { starts.load(ordering: .relaxed) }

    /// Remembers what is started, and how long it may take; nothing is started.
    ///
    /// - Parameters:
    ///   - program: A program whose `main` begins with ``NetworkWorker/runIfAsked(_:)``; by default the
    ///     one that runs.
    ///   - arguments: What it is started with.
    ///   - startSeconds: How long a network may take to be loaded, by the clock; the largest known ones
    ///     take some 30 s.
    ///   - answerSeconds: How long one run may take by the clock; the largest known networks take some
    ///     60 s on two cores.
    /// - Precondition: Times above 0.
    package init(
      program: String = "/proc/self/exe", arguments: [String] = [NetworkWorker.argument],
      startSeconds: Double = 300, answerSeconds: Double = 300
    ) {
      precondition(startSeconds > 0 && answerSeconds > 0, "a worker needs time")
      self.program = [program] + arguments
      self.startSeconds = startSeconds
      self.answerSeconds = answerSeconds
    }

    /// Starts a worker and waits until it has described the network.
    func start(
      _ setup: NetworkSetup, _ model: SealedMemory
    ) throws(InferenceError) -> (WorkerProcess, NetworkDescription) {
      let milliseconds = Int(startSeconds * 1_000)
      let worker: WorkerProcess
      let answer: [UInt8]
      do throws(WorkerProcess.Failure) {
        worker = try WorkerProcess.start(
          program, on: launcher,
          opening: WorkerProcess.Opening(message: setup.message, descriptor: model.descriptor),
          milliseconds: milliseconds)
        starts.add(1, ordering: .relaxed)
        answer = try worker.receiveOrEnd(milliseconds)
      } catch { throw error.inferenceError(setup.name) }
      switch NetworkAnswer(answer, name: setup.name) {
      case .described(let description) where description.isPossible(for: setup.inputShapes):
        return (worker, description)
      case .failed(let error):
        worker.end()
        throw error
      default:
        worker.end()
        throw WorkerProcess.Failure.garbled.inferenceError(setup.name)
      }
    }
  }

  extension NetworkWorkers: Hashable {
    /// Whether both are the same workers.
    public static func == (one: NetworkWorkers, other: NetworkWorkers) -> Bool { one === other }

    /// Takes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  }

  extension WorkerProcess {
    /// Waits for the answer; a worker that gives none is ended.
    func receiveOrEnd(_ milliseconds: Int) throws(Failure) -> [UInt8] {
      do throws(Failure) { return try receive(milliseconds) } catch {
        if case .ended = error { throw error }
        end()
        throw error
      }
    }
  }

  extension WorkerProcess.Failure {
    /// The failure as an error of the network of that name.
    func inferenceError(_ name: String) -> InferenceError {
      let expected = "a network that the runtime gets through"
      switch self {
      case .notStarted(let detail):
        return InferenceError(
          .failed, name, expected: "a network worker that starts", found: printable(text: detail))
      case .goneBefore:
        return InferenceError(.failed, name, expected: expected, found: "a worker that had ended")
      case .ended(let how):
        return InferenceError(
          .failed, name, expected: expected, found: "its worker ended with \(how)")
      case .tooSlow(let milliseconds):
        return InferenceError(
          .failed, name, expected: expected,
          found: "no answer within \(milliseconds) ms, after which its worker was ended")
      case .garbled:
        return InferenceError(.failed, name, expected: expected, found: "an answer that is none")
      }
    }
  }
#endif
