#if os(Linux)
  import Dispatch
  package import PlumblineIO
  import Synchronization

  #if canImport(Glibc)
    private import Glibc
  #elseif canImport(Musl)
    private import Musl
  #endif

  /// Processes that decode images for this one, in a sandbox.
  ///
  /// They enter it before they receive an image: no file, no network, no program, limited memory
  /// and time. They are started on demand and reused. A worker that fails is replaced, and the
  /// failure is an error of its image. They end when this object is released. Decoding waits for a
  /// worker if all are busy. Two objects are equal if they are identical.
  package final class DecoderWorkers: Sendable {
    /// The maximum memory for pixels that a worker keeps for the next image; larger memory is used
    /// for one image.
    package static let keptBytes = 64 << 20
    /// The maximum time for starting a worker; an idle machine needs a hundredth of it.
    static let startMilliseconds = 30_000

    /// The program with its arguments.
    package let program: [String]
    /// The time limit of a worker for one image, in seconds.
    package let answerSeconds: Double
    /// The maximum number of concurrent workers.
    package let count: Int
    private let launcher = LauncherThread()
    private let free: DispatchSemaphore
    private let idle = Mutex<[WorkerProcess]>([])
    private let starts = Atomic<Int>(0)

    /// The number of workers started so far.
    package var startedCount: Int { starts.load(ordering: .relaxed) }

    /// The process numbers of the idle workers.
    package var idleProcesses: [Int32] { idle.withLock { $0.map(\.process) } }

    /// Creates the object; no worker is started yet.
    ///
    /// - Parameters:
    ///   - program: A program whose `main` begins with ``DecoderWorker/runIfAsked(_:)``; the
    ///     running program by default.
    ///   - arguments: The arguments of the program.
    ///   - count: The maximum number of workers; one per processor by default.
    ///   - answerSeconds: The maximum wall-clock time for one image. The default is 20 times the
    ///     time for a progressive JPEG at the limits of size and scans.
    /// - Precondition: A count of 1 or more, and a time above 0.
    package init(
      program: String = "/proc/self/exe", arguments: [String] = [DecoderWorker.argument],
      count: Int? = nil, answerSeconds: Double = 60
    ) {
      let count = count ?? max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN)))
      precondition(count >= 1, "decoding needs a worker, not \(count)")
      precondition(answerSeconds > 0, "a worker needs time, not \(answerSeconds) s")
      self.program = [program] + arguments
      self.count = count
      self.answerSeconds = answerSeconds
      free = DispatchSemaphore(value: count)
    }

    deinit {
      for worker in idle.withLock({ $0 }) { worker.end() }
    }

    /// Decodes one image in a worker.
    ///
    /// - Parameters:
    ///   - job: The image.
    ///   - path: The enclosing structures, for errors.
    ///   - start: The position of the image in its file.
    ///   - take: Copies the pixels, which may change during the copy; called once, on success.
    /// - Returns: The result of `take`, and the decoder's notes.
    /// - Throws: Errors of the decoder; `.malformed` when its worker fails, and `.unsupported` when
    ///   none can be started.
    package func perform<Pixels>(
      _ job: DecoderJob, path: [String], imageAt start: Int = 0,
      _ take: (UnsafeRawBufferPointer) -> Pixels
    ) throws(CaptureReadingError) -> (Pixels, notes: [ContainerNote]) {
      free.wait()
      defer { free.signal() }
      var worker: WorkerProcess
      let answer: [UInt8]
      do throws(WorkerProcess.Failure) {
        (worker, answer) = try exchange(job)
      } catch { throw error.readingError(path) }
      guard let understood = DecoderAnswer(answer, imageAt: start) else {
        worker.end()
        throw WorkerProcess.Failure.garbled.readingError(path)
      }
      defer { putBack(worker) }
      switch understood {
      case .failed(var error):
        error.path = path + error.path
        throw error
      case .done(let notes):
        guard let region = worker.region, region.byteCount >= job.regionBytes else {
          preconditionFailure("the memory was made for the job")
        }
        let pixels = UnsafeRawBufferPointer(
          rebasing: region.bytes[job.outputStart..<job.regionBytes])
        return (take(pixels), notes)
      }
    }

    /// Sends a job to a worker and waits for its answer.
    ///
    /// A worker that was killed while idle is replaced once.
    private func exchange(
      _ job: DecoderJob
    ) throws(WorkerProcess.Failure) -> (WorkerProcess, answer: [UInt8]) {
      let milliseconds = Int(answerSeconds * 1_000)
      if var worker = idle.withLock({ $0.popLast() }) {
        do throws(WorkerProcess.Failure) {
          try give(job, to: &worker)
          return (worker, try answer(of: worker, milliseconds))
        } catch {
          guard case .goneBefore = error else { throw error }
        }
      }
      var worker = try WorkerProcess.start(
        program, on: launcher, milliseconds: Self.startMilliseconds)
      starts.add(1, ordering: .relaxed)
      try give(job, to: &worker)
      return (worker, try answer(of: worker, milliseconds))
    }

    private func give(
      _ job: DecoderJob, to worker: inout WorkerProcess
    ) throws(WorkerProcess.Failure) {
      do throws(WorkerProcess.Failure) {
        let descriptor = try worker.makeRegion(job.regionBytes)
        defer { if let descriptor { close(descriptor) } }
        var place = 0
        for part in job.parts {
          worker.region?.write(part, at: place)
          place += part.count
        }
        let message = job.message(region: descriptor == nil ? nil : worker.region?.byteCount)
        try worker.send(message, region: descriptor)
      } catch {
        worker.end()
        throw error
      }
    }

    private func answer(
      of worker: WorkerProcess, _ milliseconds: Int
    ) throws(WorkerProcess.Failure) -> [UInt8] {
      do throws(WorkerProcess.Failure) { return try worker.receive(milliseconds) } catch {
        if case .ended = error { throw error }
        worker.end()
        throw error
      }
    }

    private func putBack(_ worker: WorkerProcess) {
      guard !worker.isSpent(of: DecoderWorker.processorSeconds) else {
        worker.end()
        return
      }
      var kept = worker
      if let region = kept.region, region.byteCount > Self.keptBytes { kept.region = nil }
      idle.withLock { $0.append(kept) }
    }
  }

  extension DecoderWorkers: Hashable {
    /// Whether both are the same workers.
    package static func == (one: DecoderWorkers, other: DecoderWorkers) -> Bool { one === other }

    /// Takes the identity.
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  }

  extension SharedRegion {
    /// Copies bytes to a position, which must have room for them.
    package func write(_ part: ArraySlice<UInt8>, at place: Int) {
      part.withUnsafeBytes { source in
        guard !source.isEmpty else { return }
        UnsafeMutableRawBufferPointer(rebasing: bytes[place..<place + source.count])
          .copyMemory(from: source)
      }
    }
  }

  extension WorkerProcess.Failure {
    /// The failure as an error of the image to be decoded.
    func readingError(_ path: [String]) -> CaptureReadingError {
      let expected = "an image that the decoder gets through"
      switch self {
      case .notStarted(let detail):
        return CaptureReadingError(
          .unsupported, path: path, expected: "a decoder worker that starts",
          found: printable(text: detail))
      case .goneBefore:
        return CaptureReadingError(
          .malformed, path: path, expected: expected, found: "a decoder that had ended")
      case .ended(let how):
        return CaptureReadingError(
          .malformed, path: path, expected: expected, found: "the decoder ended with \(how)")
      case .tooSlow(let milliseconds):
        return CaptureReadingError(
          .malformed, path: path, expected: expected,
          found: "no answer within \(milliseconds) ms, after which the decoder was ended")
      case .garbled:
        return CaptureReadingError(
          .malformed, path: path, expected: expected, found: "an answer that is none")
      }
    }
  }
#endif
