#if os(Linux)
  import CDecoderSandbox
  import PlumblineIO

  #if canImport(Glibc)
    private import Glibc
  #elseif canImport(Musl)
    private import Musl
  #endif

  /// A worker as seen by the program that started it; used by one thread at a time.
  package struct WorkerProcess: Sendable {
    /// An error when a worker gives no result.
    package enum Failure: Error {
      /// It could not be started, or could not enter its sandbox.
      case notStarted(String)
      /// It had ended before it received the message.
      case goneBefore
      /// The worker ended without a result.
      case ended(String)
      /// The process was ended at the deadline.
      case tooSlow(milliseconds: Int)
      /// Its message was invalid or too long.
      case garbled
    }

    /// What is sent to a worker before it enters its sandbox.
    package struct Opening: Sendable {
      /// The message.
      package var message: [UInt8]
      /// A descriptor that is sent with it and stays open here.
      package var descriptor: CInt

      package init(message: [UInt8], descriptor: CInt) {
        self.message = message
        self.descriptor = descriptor
      }
    }

    /// The shared memory of the last job.
    package var region: SharedRegion?
    package let process: CInt
    private let channel: CInt

    /// Starts a worker, sends its opening message, and waits until it is in its sandbox.
    package static func start(
      _ program: [String], on launcher: LauncherThread, opening: Opening? = nil, milliseconds: Int
    ) throws(Failure) -> WorkerProcess {
      var ends: [CInt] = [-1, -1]
      let code = plb_open_channel(&ends)
      guard code == 0 else { throw .notStarted("socketpair: \(text(of: code))") }
      let channels = ends
      let started = launcher.perform { () -> Result<CInt, ProgramFailure> in
        Result { () throws(ProgramFailure) in
          try SpawnedProcess.start(
            program, .descriptors(input: channels[1], output: channels[1], errors: channels[1]),
            environment: environment)
        }
      }
      close(ends[1])
      switch started {
      case .success(let process):
        let worker = WorkerProcess(process: process, channel: ends[0])
        if let opening {
          // Its first message shows whether it is still running.
          try? worker.send(opening.message, region: opening.descriptor)
        }
        try worker.greet(milliseconds)
        return worker
      case .failure(let failure):
        close(ends[0])
        throw .notStarted(failure.detail)
      case nil:
        close(ends[0])
        throw .notStarted("no thread")
      }
    }

    /// The variables for libraries and temporary files, and no others of this process.
    private static var environment: [String] {
      let kept = ["LD_LIBRARY_PATH", "TMPDIR"].compactMap { name in
        getenv(name).map { name + "=" + String(cString: $0) }
      }
      // A crash ends it at once, since a backtrace would need system calls that the sandbox
      // forbids.
      return kept + ["LC_ALL=C", "SWIFT_BACKTRACE=enable=no"]
    }

    private init(process: CInt, channel: CInt) {
      self.process = process
      self.channel = channel
    }

    private func greet(_ milliseconds: Int) throws(Failure) {
      let answer: [UInt8]
      do throws(Failure) { answer = try receive(milliseconds) } catch {
        _ = end()
        switch error {
        case .ended(let how): throw .notStarted("it ended with \(how) before its first message")
        case .tooSlow: throw .notStarted("no word within \(milliseconds) ms")
        default: throw .notStarted("its first message is none")
        }
      }
      guard let fields = MessageFields(answer[...]), let version = fields.number(.hello) else {
        _ = end()
        throw .notStarted("its first message is none")
      }
      if let refusal = fields.text(.text) {
        _ = end()
        throw .notStarted(refusal)
      }
      guard version == WorkerChannel.version else {
        _ = end()
        throw .notStarted("version \(version) instead of \(WorkerChannel.version)")
      }
    }

    /// Creates memory of at least this size; `nil` if the existing memory suffices.
    ///
    /// - Returns: Its descriptor, which must be sent and then closed.
    package mutating func makeRegion(_ byteCount: Int) throws(Failure) -> CInt? {
      if let region, region.byteCount >= byteCount { return nil }
      region = nil
      // Enough for a few tiles, so that not every tile needs new memory.
      let count = (max(byteCount, 1 << 20) + 4_095) / 4_096 * 4_096
      let descriptor = plb_make_region(count)
      guard descriptor >= 0 else { throw .notStarted("memfd: \(Self.text(of: descriptor))") }
      guard let made = SharedRegion(descriptor: descriptor, byteCount: count) else {
        close(descriptor)
        throw .notStarted("no memory for \(count) bytes")
      }
      region = made
      return descriptor
    }

    /// Sends a message with an optional memory descriptor.
    package func send(_ message: [UInt8], region descriptor: CInt?) throws(Failure) {
      let sent = plb_send_message(channel, message, message.count, descriptor ?? -1)
      guard sent == message.count else { throw .goneBefore }
    }

    /// Waits for the answer.
    package func receive(_ milliseconds: Int) throws(Failure) -> [UInt8] {
      var bytes = [UInt8](repeating: 0, count: MessageFields.mostBytes)
      let count = plb_receive_message(
        channel, &bytes, bytes.count, CInt(clamping: milliseconds), nil)
      if count > 0 { return Array(bytes[..<Int(count)]) }
      if count == 0 || count == -ECONNRESET { throw .ended(end()) }
      throw count == -ETIMEDOUT ? .tooSlow(milliseconds: milliseconds) : .garbled
    }

    /// Kills the process if it is running, and returns how it ended.
    @discardableResult
    package func end() -> String {
      close(channel)
      var status: CInt = 0
      var result: pid_t
      // A process whose channel is closed is about to end; a short wait gives its exit status.
      for _ in 0..<50 {
        repeat { result = waitpid(process, &status, WNOHANG) } while result < 0 && errno == EINTR
        if result != 0 { return Self.words(result < 0 ? 0 : status) }
        usleep(1_000)
      }
      kill(process, SIGKILL)
      repeat { result = waitpid(process, &status, 0) } while result < 0 && errno == EINTR
      return Self.words(result < 0 ? 0 : status)
    }

    /// Whether it has used half of its processor time, so that the next job could exceed the limit.
    package func isSpent(of processorSeconds: Int) -> Bool {
      let used = plb_processor_milliseconds(process)
      return used < 0 || used > Int64(processorSeconds) * 500
    }

    private static func words(_ status: CInt) -> String {
      let signal = status & 0x7F
      return signal == 0 ? "status \((status >> 8) & 0xFF)" : "signal \(signal)"
    }

    private static func text(of code: CInt) -> String { String(cString: strerror(-code)) }
  }
#endif
