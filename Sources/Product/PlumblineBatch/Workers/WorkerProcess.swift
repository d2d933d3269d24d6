import PlumblineIO

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// One worker as the process that started it sees it.
///
/// Nothing here waits but ``end()``. It is used from one thread.
final class WorkerProcess {
  /// The number of the process.
  let number: pid_t
  let input: CInt
  let output: CInt
  let errors: CInt
  private var isInputOpen = true
  private var unsent: ArraySlice<UInt8> = []
  private var received: [UInt8] = []
  private var message: [UInt8] = []
  private var isReaped = false

  /// How many of the last bytes that it wrote as messages are kept.
  private static let messageBytes = 2_000

  /// Starts a worker.
  ///
  /// - Throws: ``ProgramFailure/notStarted(program:detail:)``.
  init(_ words: [String]) throws(ProgramFailure) {
    var pairs: [(own: CInt, child: CInt)] = []
    for _ in 0..<3 {
      guard let pair = SystemPipe.pair() else {
        let reason = String(cString: strerror(errno))
        for pair in pairs { for end in [pair.own, pair.child] { close(end) } }
        throw .notStarted(program: words.first ?? "", detail: "socketpair: \(reason)")
      }
      pairs.append(pair)
    }
    defer { for pair in pairs { close(pair.child) } }
    do throws(ProgramFailure) {
      number = try SpawnedProcess.start(
        words,
        .descriptors(input: pairs[0].child, output: pairs[1].child, errors: pairs[2].child),
        environment: Self.environment)
    } catch {
      for pair in pairs { close(pair.own) }
      throw error
    }
    (input, output, errors) = (pairs[0].own, pairs[1].own, pairs[2].own)
  }

  deinit {
    _ = end()
    closeInput()
    close(output)
    close(errors)
  }

  /// This program's variables; a crash is not looked into, which would take seconds.
  private static var environment: [String] {
    var variables: [String] = []
    var place = environ
    while let variable = place.pointee {
      let text = String(cString: variable)
      if !text.hasPrefix("SWIFT_BACKTRACE=") { variables.append(text) }
      place += 1
    }
    return variables + ["SWIFT_BACKTRACE=enable=no"]
  }

  /// Whether something is still to be sent.
  var hasUnsent: Bool { !unsent.isEmpty }

  /// Adds bytes to what is sent, and sends what the worker takes at once.
  func send(_ line: [UInt8]) {
    unsent += line
    sendMore()
  }

  /// Sends what the worker takes.
  func sendMore() {
    while isInputOpen, !unsent.isEmpty {
      let count = unsent.withUnsafeBytes { SystemPipe.send(input, $0) }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno != EAGAIN {
        // It has ended; the end of its output says how.
        unsent = []
        return
      }
      guard count > 0 else { return }
      unsent = unsent.dropFirst(count)
    }
  }

  /// Lets the worker end when it has answered all that it was sent.
  func closeInput() {
    guard isInputOpen else { return }
    isInputOpen = false
    close(input)
  }

  /// What reading gave.
  enum Reading {
    /// The whole messages that came, as ``WorkerMessages`` gives them.
    case messages([ArraySlice<UInt8>])
    /// The worker wrote a message longer than the limit.
    case tooLong
    /// It has closed its output.
    case end
  }

  /// Reads what is there.
  ///
  /// - Parameter limit: The most bytes of a message.
  /// - Returns: Whole messages, or why there are none.
  func read(atMost limit: Int) -> Reading {
    var isAtEnd = false
    withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { buffer in
      // So much at a time that one worker cannot keep the others waiting.
      for _ in 0..<64 {
        let count = SystemPipe.read(output, buffer.baseAddress, buffer.count)
        if count < 0, errno == EINTR { continue }
        if count > 0 { received.append(contentsOf: buffer[..<count]) }
        isAtEnd = count == 0 || (count < 0 && errno != EAGAIN)
        if count <= 0 || received.count > limit { return }
      }
    }
    guard let messages = WorkerMessages.take(from: &received, atMost: limit) else {
      return .tooLong
    }
    return messages.isEmpty && isAtEnd ? .end : .messages(messages)
  }

  /// Reads what the worker says on standard error, of which the last bytes are kept.
  func readMessages() {
    withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 16) { buffer in
      for _ in 0..<16 {
        let count = SystemPipe.read(errors, buffer.baseAddress, buffer.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else {
          hasMessages = count < 0 && errno == EAGAIN
          return
        }
        message.append(contentsOf: buffer[..<count])
        message.removeFirst(max(0, message.count - Self.messageBytes))
      }
    }
  }

  /// Whether standard error is open.
  private(set) var hasMessages = true

  /// Ends the process if it still runs, and waits for its end.
  ///
  /// - Returns: How it ended; `nil` where that was asked before.
  func end() -> WorkerEnd? {
    guard !isReaped else { return nil }
    kill(-number, SIGKILL)
    kill(number, SIGKILL)
    return reap()
  }

  /// Waits for the end of a process that has closed its output, and is ended where it goes on without one.
  func waitForEnd() -> WorkerEnd? {
    guard !isReaped else { return nil }
    let deadline = SystemPipe.milliseconds() + 2_000
    var status: CInt = 0
    while SystemPipe.milliseconds() < deadline {
      let result = waitpid(number, &status, WNOHANG)
      if result == number {
        isReaped = true
        readMessages()
        return WorkerEnd(status: status, message: message)
      }
      if result < 0, errno != EINTR { break }
      usleep(1_000)
    }
    return end()
  }

  private func reap() -> WorkerEnd {
    var status: CInt = 0
    var result: pid_t
    repeat { result = waitpid(number, &status, 0) } while result < 0 && errno == EINTR
    isReaped = true
    readMessages()
    return WorkerEnd(status: result == number ? status : 0, message: message)
  }
}
