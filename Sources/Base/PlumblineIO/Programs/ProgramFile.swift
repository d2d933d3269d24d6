#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#elseif canImport(Darwin)
  private import Darwin
#endif

/// A program found by its name.
package struct ProgramFile: Sendable, Hashable {
  package let name: String
  /// The absolute path of the program.
  package let path: String

  /// A program at a known path.
  package init(name: String, path: String) {
    self.name = name
    self.path = path
  }

  /// Looks in the folders of `PATH`; relative ones are left out, since what lies in the current
  /// folder belongs to the maker of the recording.
  ///
  /// - Throws: `.absent`.
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

/// What a program of its own process wrote, from its start to its end.
///
/// For other targets that need a program for one answer, such as `openssl`.
package struct ProgramAnswer {
  /// The bytes that it wrote to its standard output.
  package let bytes: [UInt8]

  /// Runs a program found on the path, and waits for it.
  ///
  /// Blocks the thread for at most twice the seconds.
  /// - Parameters:
  ///   - name: The program.
  ///   - arguments: Its arguments, which no shell sees; other users of this machine may.
  ///   - input: What it reads.
  ///   - seconds: The time that it may take.
  ///   - byteLimit: The most that it may write; one that writes more is ended at once.
  /// - Throws: Whatever kept it from ending well.
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
      // Nothing is read from a capture here.
      case .reading: throw running.earlyEnd()
      }
    }
    // Its end is not waited for: what writes without end has none.
    guard answer.count <= byteLimit else {
      throw .tooMuch(program: name, byteLimit: byteLimit)
    }
    if let failure = running.failure() { throw failure }
    bytes = answer
  }
}

/// An error when a program of its own process gives no result.
package enum ProgramFailure: Error, Sendable, Hashable {
  /// No program of the name is on the path, or this platform starts no programs.
  case absent(program: String)
  /// The system could not start it.
  case notStarted(program: String, detail: String)
  /// The process was ended at the deadline.
  case tooSlow(program: String, seconds: Int)
  /// It was not asked again after it had taken too long for an earlier image of the same video.
  case abandoned(program: String, seconds: Int)
  /// It wrote more than so many bytes and was ended.
  case tooMuch(program: String, byteLimit: Int)
  /// It ended, or closed its output, before it had answered; `message` is safe to print.
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
      "\(program) ended with \(status)" + (message.isEmpty ? "" : ": \(message)")
    }
  }
}

/// The limits of a program's time and output.
package struct ProgramLimits: Sendable, Hashable {
  /// Seconds that one answer may take on the clock.
  package var answerSeconds: Int
  /// Seconds of processor time in all; the system ends what uses more.
  package var processorSeconds: Int
  /// Megabytes of address space, where the system can limit it (Linux).
  package var memoryMegabytes: Int

  /// Limits that a program which answers in time does not meet.
  package init(
    answerSeconds: Int = 30, processorSeconds: Int = 3_600, memoryMegabytes: Int = 4_096
  ) {
    self.answerSeconds = answerSeconds
    self.processorSeconds = processorSeconds
    self.memoryMegabytes = memoryMegabytes
  }
}
