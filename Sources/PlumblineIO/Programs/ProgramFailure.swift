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
