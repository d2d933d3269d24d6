import ArgumentParser
import Plumbline

struct CheckCommand: VerdictCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Say whether a capture can be measured, how well, and what was wrong with it.",
    discussion: """
      The verdict is one of: measurable (meters as it is), corrected (meters after corrections, \
      which the outputs contain), relative (no meters without a distance that you measured), \
      untrusted (do not measure). The exit code is 0 for the first two and 1 for the others.

      A folder of frames is judged frame by frame. Its verdict is that of the middle frame when \
      they are ordered from best to worst; frames that differ are named, and outputs are those of \
      the first frame that has the verdict. --frame judges one frame alone.

      With -o, a folder receives report.html (a page that needs nothing else) and, where there is \
      a calibration, cloud.ply.
      """)

  @OptionGroup var options: CaptureOptions
  @OptionGroup var outputOptions: OutputOptions

  @Option(
    name: .output,
    help: "A folder for report.html and cloud.ply; it is made if it does not exist.",
    completion: .directory)
  var output: String?

  @OptionGroup var printing: PrintingOptions<CheckCommand>

  func run() throws {
    throw try CommandExit.running(options.capture) {
      let color: CaptureReader.ColorRequest = output == nil ? .none : .full
      let input = try options.input()
      let analyzer = try options.analyzer(color: color)
      if case .recording(let recording, let name) = input, options.frame == nil {
        return try run(on: recording, of: name, by: analyzer)
      }
      return try run(on: analyzer.analyze(input))
    }
  }

  /// Writes and prints the result for one capture; the exit code is that of its verdict.
  private func run(on check: CaptureAnalysis) throws -> ExitCode {
    let written = try output.map { try write(check, to: $0) }
    printing.print(check.document(report: written?.report, cloud: written?.cloud)) {
      StandardOutput.print(
        VerdictText(
          check: check, usesColor: printing.showsColors, columns: TerminalWidth.columns(of: 1)
        ).text)
      printOutputs(written)
    }
    return check.assessment.verdict.isMeasurable ? .success : CommandExit.notMeasurable
  }

  /// Checks all frames of a folder; the outputs are those of the frame that stands for all.
  private func run(
    on recording: Recording, of name: String, by analyzer: CaptureAnalyzer
  ) throws -> ExitCode {
    guard options.knownDistances.isEmpty else { throw FrameOptionError.distancesWithoutFrame }
    var progress = ProgressLine(total: recording.frameNames.count, isQuiet: printing.quiet)
    let check = analyzer.analyzeFrames(of: recording, named: name) { progress.begin($0) }
    progress.end()
    // A folder of which no frame can be read is no recording; the first error says why.
    guard check.frames.contains(where: \.isReadable) else {
      _ = try recording.capture(at: 0, color: .none)
      return CommandExit.unusableInput
    }
    var chosen: CaptureAnalysis?
    if check.frames[check.chosenIndex].isReadable, printing.json || output != nil {
      chosen = try analyzer.analyze(recording, named: name, at: check.chosenIndex)
    }
    let written = try output.flatMap { output in try chosen.map { try write($0, to: output) } }
    printing.print(
      check.document(chosen: chosen, report: written?.report, cloud: written?.cloud)
    ) {
      StandardOutput.print(
        SequenceText(
          check: check, usesColor: printing.showsColors, columns: TerminalWidth.columns(of: 1)
        ).text)
      printOutputs(written)
    }
    if output != nil, written == nil {
      StandardError.print("plumbline: no report: the frame that stands for all cannot be read")
    }
    return check.verdict.isMeasurable ? .success : CommandExit.notMeasurable
  }

  private func printOutputs(_ written: (report: String, cloud: String?)?) {
    if let report = written?.report {
      StandardOutput.print("\n  report       \(printable(text: report))")
    }
    if let cloud = written?.cloud {
      StandardOutput.print("  cloud        \(printable(text: cloud))")
    }
  }

  /// Writes report and cloud together, so that neither stands without the other.
  private func write(
    _ check: CaptureAnalysis, to folder: String
  ) throws -> (report: String, cloud: String?) {
    var transaction = OutputTransaction(existing: outputOptions.existing)
    try transaction.createDirectory(at: folder)
    let points = check.pointCloud
    let cloud = points == nil ? nil : path("cloud.ply", in: folder)
    if let points, let cloud {
      let writer = PLYWriter(points, origin: check.origin)
      try transaction.stage(at: cloud) { file throws(OutputError) in
        try writer.write(to: file)
      }
    }
    let report = path("report.html", in: folder)
    try transaction.stage(check.report(cloud: cloud.map { _ in "cloud.ply" }), at: report)
    try transaction.removeStale(in: folder) { OutputSet.check.contains($0) }
    _ = try transaction.publish()
    return (report, cloud)
  }
}
