import ArgumentParser
import Plumbline

/// Checks one capture after the other: analyzes it and writes its report and cloud.
struct CaptureChecker: Sendable {
  /// The settings of the analysis.
  var analyzer: CaptureAnalyzer
  /// What captures have to be good for.
  var needs: [Tolerance] = []
  /// What happens to outputs that exist.
  var existing: OutputTransaction.ExistingFiles = .keep
  /// Whether the result becomes a document, which needs more of a recording.
  var makesDocument = false

  /// Checks what was opened.
  ///
  /// - Parameters:
  ///   - input: The capture, or the recording; of it the frame of the analyzer, else all frames.
  ///   - folder: Where the outputs go; `nil` for none.
  ///   - progress: Called before each frame of a recording with its position and their number.
  /// - Returns: The result, with the paths that were written.
  /// - Throws: Why it cannot be analyzed or written; for a recording of which no frame can be read, why
  ///   its first one cannot.
  func check(
    _ input: CaptureInput, to folder: String?, progress: (Int, Int) -> Void = { _, _ in }
  ) throws -> CheckResult {
    guard case .recording(let recording, let name) = input, analyzer.frame == nil else {
      let check = try analyzer.analyze(input)
      return CheckResult(
        subject: .capture(check), needs: needs, written: try folder.map { try write(check, to: $0) }
      )
    }
    guard analyzer.measuredDistances.isEmpty else {
      // Of a single frame it is clear which one is meant.
      guard recording.frameNames.count == 1 else { throw FrameOptionError.distancesWithoutFrame }
      let check = try analyzer.analyze(recording, named: name, at: 0)
      return CheckResult(
        subject: .capture(check), needs: needs, written: try folder.map { try write(check, to: $0) }
      )
    }
    let check = analyzer.analyzeFrames(of: recording, named: name) {
      progress($0, recording.frameNames.count)
    }
    guard check.frames.contains(where: \.isReadable) else {
      // The same error as that of the first frame alone.
      _ = try analyzer.analyze(recording, named: name, at: 0)
      throw CaptureReadingError(
        .missing, expected: "a frame that can be read", found: check.frames[0].reason)
    }
    var chosen: CaptureAnalysis?
    if check.frames[check.chosenIndex].isReadable, makesDocument || folder != nil {
      chosen = try analyzer.analyze(recording, named: name, at: check.chosenIndex)
    }
    return CheckResult(
      subject: .recording(check, chosen: chosen), needs: needs,
      written: try folder.flatMap { folder in try chosen.map { try write($0, to: folder) } })
  }

  /// Writes report and cloud together, so that neither is there without the other.
  private func write(
    _ check: CaptureAnalysis, to folder: String
  ) throws -> (report: String, cloud: String?) {
    var transaction = OutputTransaction(existing: existing)
    try transaction.createDirectory(at: folder)
    let points = check.pointCloud
    let cloud = points == nil ? nil : path("cloud.ply", in: folder)
    if let points, let cloud {
      let writer = PLYWriter(
        points, origin: check.origin, statements: check.cloudStatements())
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
