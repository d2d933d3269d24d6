import ArgumentParser
import Plumbline

/// The options of `fuse` about poses, scale and report.
struct ScanReportOptions: ParsableArguments {
  @Option(
    name: .customLong("write-poses"),
    help: ArgumentHelp(
      "Write the pose of each frame, with its covariance: .json, or .txt as TUM has it.",
      valueName: "FILE"), completion: .file(extensions: ["json", "txt"]))
  var poses: String?

  @Option(
    help: ArgumentHelp("Write a report of one HTML file.", valueName: "FILE"),
    completion: .file(extensions: ["html"]))
  var report: String?

  @Option(
    help: ArgumentHelp(
      "A board in view that tells the scale, or its board.json.", valueName: "BOARD"))
  var board: String?

  @Option(
    help: ArgumentHelp(
      "The side of the squares of a ChArUco board in view, which is found by itself.",
      valueName: "MILLIMETERS"))
  var square: Double?

  mutating func validate() throws {
    if let poses, RecordingPoses.Format(fileName: poses) == nil {
      throw ValidationError(
        "--write-poses ends in .json or .txt, not as \(printable(text: poses)).")
    }
    if let report, pathEnding(report) != "html" {
      throw ValidationError("--report ends in .html, not as \(printable(text: report)).")
    }
    if let square, !(square > 0.1 && square < 10_000) {
      throw ValidationError("The side of a square must be between 0.1 and 10000 mm, not \(square).")
    }
    if board != nil, square != nil {
      throw ValidationError("--board already says the side of a square; give one of the two.")
    }
  }

  /// What tells the scale; `nil` for nothing.
  func scaleCheck(_ options: AnalysisOptions) throws -> ScanScaleCheck? {
    if let board {
      return ScanScaleCheck(.board(.known(try BoardArgument(text: board).board())))
    }
    if let square { return ScanScaleCheck(.board(.search(squareMeters: square / 1000))) }
    guard let frame = options.frame, !options.knownDistances.isEmpty else { return nil }
    return ScanScaleCheck(.distances(options.knownDistances, frame: frame))
  }

  /// Adds poses and report to the files of a scan.
  func stage(
    _ scan: Scan, name: String, in transaction: inout OutputTransaction
  ) throws {
    if let poses, let format = RecordingPoses.Format(fileName: poses) {
      try transaction.stage(scan.poses.bytes(as: format, recording: name), at: poses)
    }
    if let report {
      let document = scan.document(fileName: name, outputs: [])
      try transaction.stage(scan.report(title: name, document: document), at: report)
    }
  }
}
