import ArgumentParser
import Plumbline

struct RecoverCommand: PrintingCommand {
  static let configuration = CommandConfiguration(
    commandName: "recover",
    abstract: "Make a sound recording of one that was cut or damaged.",
    discussion: """
      A recorder that is killed or loses power leaves NAME.mcap.partial, all of it sound but the \
      last part of a second. Reads the file through, keeps every chunk whose checksum fits, and \
      writes index and end again. The old file stays as it is.

        plumbline recover capture.mcap.partial -o capture.mcap
      """)

  @Argument(help: "The recording, such as capture.mcap.partial.")
  var file: String

  @Option(name: .shortAndLong, help: "The file to write.")
  var output: String

  @OptionGroup var outputOptions: OutputOptions

  @OptionGroup var printing: PrintingOptions<RecoverCommand>

  func run() throws {
    throw try CommandExit.running(file) {
      let run = try RecordingRecovery(
        path: file, output: output, existing: outputOptions.existing)
      printing.print(run.document) { StandardOutput.print(RecoverText(run: run).text) }
      return .success
    }
  }
}

/// A recovery as a person reads it.
struct RecoverText {
  let run: RecordingRecovery

  /// The text of the result: the kept part, then each gap.
  var text: String {
    let recovery = run.recovery
    var lines = [
      "\(printable(text: run.outputPath)): \(recovery.messages.counting("message")) in "
        + "\(recovery.chunksKept.counting("chunk")) kept, \(recovery.chunksDropped.counting("chunk")) dropped, "
        + "\(recovery.bytesLost) bytes lost"
    ]
    if recovery.wasComplete && recovery.gaps.isEmpty {
      lines.append("  nothing was missing; the index was written again")
    }
    for gap in recovery.gaps {
      var line =
        "  bytes \(gap.range.lowerBound) to \(gap.range.upperBound): "
        + printable(text: gap.detail)
      if let times = gap.logTimes {
        let start = (Double(times.lowerBound) * 1e-9).fixed(3)
        line += ", from second \(start) to \((Double(times.upperBound) * 1e-9).fixed(3))"
      }
      lines.append(line)
    }
    return lines.joined(separator: "\n")
  }
}
