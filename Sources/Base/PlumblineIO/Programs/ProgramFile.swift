#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#elseif canImport(Darwin)
  private import Darwin
#endif

/// An executable found by its name.
package struct ProgramFile: Sendable, Hashable {
  package let name: String
  /// The absolute path of the program.
  package let path: String

  /// A program at a known path.
  package init(name: String, path: String) {
    self.name = name
    self.path = path
  }

  /// Searches the folders of `PATH`; relative folders are skipped, since whoever made the recording
  /// controls the contents of the current folder.
  ///
  /// - Throws: `.absent` if no folder has such an executable.
  package init(named name: String) throws(ProgramFailure) {
    let folders = getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
    for folder in folders.split(separator: ":") where folder.hasPrefix("/") {
      let path = "\(folder)/\(name)"
      if access(path, X_OK) == 0 {
        self.init(name: name, path: path)
        return
      }
    }
    throw .absent(program: name)
  }
}

/// The complete standard output of a program that ran as a child process.
///
/// Other targets use it for a single call of a program, such as `openssl`.
package struct ProgramAnswer {
  /// The bytes of the standard output.
  package let bytes: [UInt8]

  /// Runs a program found on the path, and waits for its end.
  ///
  /// Blocks the thread for at most twice `seconds`.
  /// - Parameters:
  ///   - name: The program.
  ///   - arguments: The arguments, which no shell interprets; other users of this machine may see
  ///     them.
  ///   - input: The bytes of the standard input.
  ///   - seconds: The maximum time.
  ///   - byteLimit: The maximum size of the output; a program that writes more is killed at once.
  /// - Throws: The reason why the program did not succeed.
  package init(
    of name: String, _ arguments: [String], input: [UInt8] = [], seconds: Int,
    byteLimit: Int = 1 << 20
  ) throws(ProgramFailure) {
    let limits = ProgramLimits(
      answerSeconds: seconds, processorSeconds: seconds, memoryMegabytes: 1024)
    let running = try RunningProgram(ProgramFile(named: name), arguments, limits: limits)
    var rest: [UInt8]? = input.isEmpty ? nil : input
    let answer: [UInt8]
    do throws(RunningProgram.Interruption) {
      answer = try running.read(byteLimit + 1) { () throws(CaptureReadingError) -> [UInt8]? in
        defer { rest = nil }
        return rest
      }
    } catch {
      switch error {
      case .program(let failure): throw failure
      // This call reads nothing from a capture.
      case .reading: throw running.earlyEnd()
      }
    }
    // A program that writes without end never exits, so this does not wait for its exit.
    guard answer.count <= byteLimit else {
      throw .tooMuch(program: name, byteLimit: byteLimit)
    }
    if let failure = running.failure() { throw failure }
    bytes = answer
  }
}

/// Why a child process gave no result.
package enum ProgramFailure: Error, Sendable, Hashable {
  /// No program of this name is on the path, or this platform cannot start programs.
  case absent(program: String)
  /// The system could not start the program.
  case notStarted(program: String, detail: String)
  /// The process was ended at the deadline.
  case tooSlow(program: String, seconds: Int)
  /// It was not used again, since it had taken too long for an earlier image of the same video.
  case abandoned(program: String, seconds: Int)
  /// It wrote more than `byteLimit` bytes and was killed.
  case tooMuch(program: String, byteLimit: Int)
  /// It exited or closed its output before its result was complete; `message` is safe to print.
  case ended(program: String, status: String, message: String)

  /// One sentence for an error or a finding.
  package var detail: String {
    switch self {
    case .absent(let program):
      "the program \(program) is not on the path: install it (apt install \(program), or brew "
        + "install \(program))"
    case .notStarted(let program, let detail): "\(program) could not be started: \(detail)"
    case .tooSlow(let program, let seconds):
      "\(program) did not answer within \(seconds) s and was ended"
    case .abandoned(let program, let seconds):
      "\(program) did not answer within \(seconds) s for an earlier image of the video and is not "
        + "asked again; open the recording anew to try once more"
    case .tooMuch(let program, let byteLimit):
      "\(program) gave more than \(byteLimit) bytes and was ended"
    case .ended(let program, let status, let message):
      // Most programs begin their messages with their own name.
      "\(program) ended with \(status)" + (message.isEmpty ? "" : ": ")
        + (message.hasPrefix("\(program): ")
          ? String(message.dropFirst(program.count + 2)) : message)
    }
  }
}

/// Limits on the time and memory of a program.
package struct ProgramLimits: Sendable, Hashable {
  /// The maximum time for one answer, in seconds of wall-clock time.
  package var answerSeconds: Int
  /// The maximum processor time in total, in seconds; the system kills a process that uses more.
  package var processorSeconds: Int
  /// Megabytes of address space, where the system can limit it (Linux).
  package var memoryMegabytes: Int

  /// Creates limits that a program which answers in time does not reach.
  package init(
    answerSeconds: Int = 30, processorSeconds: Int = 3_600, memoryMegabytes: Int = 4_096
  ) {
    self.answerSeconds = answerSeconds
    self.processorSeconds = processorSeconds
    self.memoryMegabytes = memoryMegabytes
  }
}
