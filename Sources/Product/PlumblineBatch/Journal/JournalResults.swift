import Plumbline
import PlumblineIO

/// Makes the files of results from a journal.
struct JournalResults {
  let folder: String
  let journal: Journal
  /// What was done, such as `check`.
  let verb: String
  /// Whether there are any, so that no file is looked for in vain.
  private let hasImages: Bool

  init(folder: String, journal: Journal, verb: String) {
    self.folder = folder
    self.journal = journal
    self.verb = verb
    hasImages = (try? FileOperations.system.entries("\(folder)/thumbnails"))?.isEmpty == false
  }

  /// Writes them beside the old ones, which they replace together.
  ///
  /// - Returns: The largest exit code of captures that failed; 0 for none.
  /// - Throws: ``JournalError``, ``OutputError``, and `CaptureReadingError` or `JSONReadingError` for a
  ///   damaged document. O(*n*); one capture is in memory at a time.
  func write() throws -> Int {
    var code = 0
    var files = try ResultFiles(folder: folder, verb: verb)
    try journal.forEach { record in
      guard let result = record.result else { return }
      if record.state == .failed { code = max(code, record.code) }
      var limits = JSONLimits()
      limits.stringBytes = result.row.utf8.count
      let packed = try JSONValue(parsing: Array(result.row.utf8), limits: limits)
      let row = ResultRow(
        packed: packed, path: record.path, bytes: record.identity?.bytes, sha256: record.sha256,
        isFailed: record.state == .failed, code: record.code)
      guard let row else {
        throw JournalError(
          .damaged, path: journal.path, expected: "rows of tables",
          found: "another list for \(printable(text: record.path))")
      }
      // Nothing else refers to the name, which costs a digest.
      let name = hasImages || row.page != nil ? CaptureName(path: record.path).name : ""
      try files.append(
        ResultEntry(
          row: row, line: result.line(), outputName: name, hasThumbnail: hasImage(name),
          timing: record.timing))
    }
    _ = try files.publish()
    return code
  }

  private func hasImage(_ name: String) -> Bool {
    hasImages && (try? FileOperations.system.kind("\(folder)/thumbnails/\(name).jpg")) == .file
  }
}

extension JournalRecord {
  /// What the capture took; `nil` where its worker did not answer.
  fileprivate var timing: ResultEntry.Timing? {
    guard let seconds else { return nil }
    return ResultEntry.Timing(
      attempt: attempt, seconds: seconds, cpuSeconds: processorSeconds, peakBytes: peakBytes)
  }
}
