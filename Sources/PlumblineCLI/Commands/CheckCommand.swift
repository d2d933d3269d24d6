import ArgumentParser
import Plumbline

struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Say whether a capture can be measured, how well, and what was wrong with it.",
    discussion: """
      The verdict is one of: measurable (meters as it is), corrected (meters after corrections, \
      which the outputs contain), relative (no meters without a distance that you measured), \
      untrusted (do not measure). The exit code is 0 for the first two and 1 for the others.

      With -o, a folder receives report.html (a page that needs nothing else) and, where there is \
      a calibration, cloud.ply.
      """)

  @OptionGroup var options: CaptureOptions
  @OptionGroup var outputOptions: OutputOptions

  @Option(
    name: [.customShort("o"), .long],
    help: "A folder for report.html and cloud.ply; it is made if it does not exist.",
    completion: .directory)
  var output: String?

  @Flag(help: "Print one JSON document (schema plumbline.check/1) instead of text.")
  var json = false

  @Flag(help: "Print nothing but errors; the exit code tells the verdict.")
  var quiet = false

  @Flag(help: "Print without colors; NO_COLOR does the same.")
  var noColor = false

  func run() throws {
    throw try CommandExit.running(options.capture) {
      let check = try options.check(color: output == nil ? .none : .full)
      let written = try output.map { try write(check, to: $0) }
      if json {
        let document = check.document(report: written?.report, cloud: written?.cloud)
        StandardOutput.print(JSONWriter().text(document))
      } else if !quiet {
        let usesColor = StandardOutput.usesColor(refused: noColor)
        StandardOutput.print(VerdictText(check: check, usesColor: usesColor).text)
        if let report = written?.report {
          StandardOutput.print("\n  report       \(printable(text: report))")
        }
        if let cloud = written?.cloud {
          StandardOutput.print("  cloud        \(printable(text: cloud))")
        }
      }
      return check.assessment.verdict.isMeasurable ? .success : CommandExit.notMeasurable
    }
  }

  /// Writes report and cloud together, so that neither stands without the other.
  private func write(
    _ check: CaptureCheck, to folder: String
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
    _ = try transaction.publish()
    return (report, cloud)
  }
}
