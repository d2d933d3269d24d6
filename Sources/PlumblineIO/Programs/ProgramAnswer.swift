/// What a program of its own process wrote, from its start to its end.
///
/// For other targets that need a program for one answer, such as `openssl` or `qrencode`.
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
