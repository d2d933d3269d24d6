#if os(Linux) || os(macOS)
  #if canImport(Glibc)
    private import Glibc
  #elseif canImport(Musl)
    private import Musl
  #elseif canImport(Darwin)
    private import Darwin
  #endif

  /// A program in a process of its own, whose standard input, output and errors are socket pairs.
  ///
  /// Releasing the last reference ends the process. Use it from one thread at a time.
  ///
  /// It starts through `/bin/sh`, which sets the limits and then becomes the program. `posix_spawn`
  /// cannot set limits, and code that sets them between `fork` and `exec` is not safe in a process
  /// with several threads. The shell's script is constant: the limits, the program and its arguments
  /// are passed as arguments, which the shell never interprets as script.
  package final class RunningProgram {
    private let program: ProgramFile
    private let limits: ProgramLimits
    private var process: pid_t
    /// This side of the socket pairs.
    private var input: CInt
    private let output: CInt
    private let errors: CInt
    private var pending: ArraySlice<UInt8> = []
    private var message: [UInt8] = []
    private var status: CInt?

    private static let script = """
      ulimit -c 0; ulimit -t "$1"; ulimit -v "$2" 2>/dev/null; shift 2; exec "$@"
      """
    private static let messageBytes = 2_000

    /// Starts the program.
    ///
    /// - Throws: `.notStarted`.
    package init(
      _ program: ProgramFile, _ arguments: [String], limits: ProgramLimits
    ) throws(ProgramFailure) {
      self.program = program
      self.limits = limits
      var pairs: [(own: CInt, child: CInt)] = []
      for _ in 0..<3 {
        guard let pair = SystemPipe.pair() else {
          let reason = String(cString: strerror(errno))
          for pair in pairs { for end in [pair.own, pair.child] { close(end) } }
          throw .notStarted(program: program.name, detail: "socketpair: \(reason)")
        }
        pairs.append(pair)
      }
      let words: [String] =
        [
          "/bin/sh", "-c", Self.script, "sh", "\(limits.processorSeconds)",
          "\(limits.memoryMegabytes * 1024)", program.path,
        ] + arguments
      do throws(ProgramFailure) {
        process = try SpawnedProcess.start(
          words,
          .descriptors(input: pairs[0].child, output: pairs[1].child, errors: pairs[2].child),
          // The caller's environment is not passed on: no proxies, no configuration files of its home.
          environment: ["PATH=/usr/bin:/bin", "LC_ALL=C", "AV_LOG_FORCE_NOCOLOR=1"])
      } catch {
        for pair in pairs { for end in [pair.own, pair.child] { close(end) } }
        throw .notStarted(program: program.name, detail: error.detail)
      }
      for pair in pairs { close(pair.child) }
      (input, output, errors) = (pairs[0].own, pairs[1].own, pairs[2].own)
    }

    deinit {
      end()
      closeInput()
      close(output)
      close(errors)
    }

    /// Reads from the program's output while feeding its input.
    ///
    /// - Parameters:
    ///   - count: How many bytes are wanted.
    ///   - feed: Returns the next part of the input, once the program has taken the one before; `nil`
    ///     at the end.
    /// - Returns: That many bytes; fewer if the program closed its output earlier.
    /// - Throws: `.tooSlow`, or what `feed` throws, as ``Interruption``. The program is ended then.
    package func read(
      _ count: Int, feed: () throws(CaptureReadingError) -> [UInt8]?
    ) throws(Interruption) -> [UInt8] {
      var answer: [UInt8] = []
      answer.reserveCapacity(min(count, 16 << 20))
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      let deadline = SystemPipe.milliseconds() + limits.answerSeconds * 1000
      while answer.count < count {
        if input >= 0, pending.isEmpty {
          do throws(CaptureReadingError) {
            if let more = try feed() { pending = more[...] } else { closeInput() }
          } catch {
            end()
            throw .reading(error)
          }
        }
        let left = deadline - SystemPipe.milliseconds()
        guard left > 0 else {
          end()
          throw .program(.tooSlow(program: program.name, seconds: limits.answerSeconds))
        }
        wait(milliseconds: left)
        send()
        drainErrors()
        let got = buffer.withUnsafeMutableBytes { bytes in
          SystemPipe.read(output, bytes.baseAddress, min(bytes.count, count - answer.count))
        }
        if got == 0 { break }
        if got > 0 { answer += buffer[..<got] }
        if got < 0, errno != EAGAIN, errno != EINTR { break }
      }
      return answer
    }

    /// How the program ended, after its output was closed; waits for its end until the deadline.
    ///
    /// - Returns: `nil` for success.
    package func failure() -> ProgramFailure? {
      closeInput()
      let deadline = SystemPipe.milliseconds() + limits.answerSeconds * 1000
      while status == nil, SystemPipe.milliseconds() < deadline {
        drainErrors()
        if !reap(options: WNOHANG) { usleep(2_000) }
      }
      drainErrors()
      guard let status else {
        end()
        return .tooSlow(program: program.name, seconds: limits.answerSeconds)
      }
      return status == 0 ? nil : ended(status)
    }

    /// The failure of a program that stopped answering too early, whatever its status.
    package func earlyEnd() -> ProgramFailure { failure() ?? ended(0) }

    private func ended(_ status: CInt) -> ProgramFailure {
      let signal = status & 0x7F
      let words = signal == 0 ? "status \((status >> 8) & 0xFF)" : "signal \(signal)"
      let text = String(decoding: message, as: UTF8.self)
      let lines = text.split(whereSeparator: \.isNewline).prefix(3).map { printable(text: $0) }
      return .ended(
        program: program.name, status: words, message: lines.joined(separator: "; "))
    }

    private func end() {
      guard status == nil else { return }
      kill(-process, SIGKILL)
      kill(process, SIGKILL)
      _ = reap(options: 0)
    }

    private func reap(options: CInt) -> Bool {
      var code: CInt = 0
      var result: pid_t
      repeat { result = waitpid(process, &code, options) } while result < 0 && errno == EINTR
      if result == process { status = code }
      // It has ended, but its status is lost: other code of this process has waited for it, or SIGCHLD is
      // ignored. It counts as success, since else every program would fail in such a process; what it
      // wrote is all that callers can check then.
      if result < 0 { status = 0 }
      return status != nil
    }

    private func closeInput() {
      guard input >= 0 else { return }
      close(input)
      input = -1
      pending = []
    }

    private func wait(milliseconds: Int) {
      var descriptors = [
        pollfd(fd: output, events: CShort(POLLIN), revents: 0),
        pollfd(fd: errors, events: CShort(isMute ? 0 : POLLIN), revents: 0),
      ]
      if isMute { descriptors.removeLast() }
      if input >= 0 { descriptors.append(pollfd(fd: input, events: CShort(POLLOUT), revents: 0)) }
      _ = poll(&descriptors, nfds_t(descriptors.count), CInt(min(milliseconds, 1_000)))
    }

    private func send() {
      guard input >= 0, !pending.isEmpty else { return }
      let sent = pending.withUnsafeBytes { bytes in
        SystemPipe.send(input, UnsafeRawBufferPointer(rebasing: bytes.prefix(1 << 18)))
      }
      if sent > 0 {
        pending = pending.dropFirst(sent)
      } else if errno != EAGAIN, errno != EINTR {
        // It reads no more; its output and its status say why.
        closeInput()
      }
    }

    /// Whether the stream of complaints is closed.
    private var isMute = false

    private func drainErrors() {
      var buffer = [UInt8](repeating: 0, count: 4_096)
      // What goes beyond the limit is read too, so that the program cannot block, and dropped.
      for _ in 0..<16 where !isMute {
        let got = buffer.withUnsafeMutableBytes {
          SystemPipe.read(errors, $0.baseAddress, $0.count)
        }
        if got > 0 { message += buffer[..<got].prefix(Self.messageBytes - message.count) }
        if got == 0 { isMute = true }
        if got <= 0 { return }
      }
    }
  }
#else
  /// Every start fails, since this platform starts no programs (iOS).
  package final class RunningProgram {
    package init(
      _ program: ProgramFile, _ arguments: [String], limits: ProgramLimits
    ) throws(ProgramFailure) {
      throw .absent(program: program.name)
    }

    package func read(
      _ count: Int, feed: () throws(CaptureReadingError) -> [UInt8]?
    ) throws(Interruption) -> [UInt8] { [] }

    package func failure() -> ProgramFailure? { nil }

    package func earlyEnd() -> ProgramFailure { .absent(program: "") }
  }
#endif

extension RunningProgram {
  /// Why an exchange with a program stopped.
  package enum Interruption: Error {
    case program(ProgramFailure)
    case reading(CaptureReadingError)
  }
}
