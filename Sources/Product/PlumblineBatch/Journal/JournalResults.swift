import Plumbline
import PlumblineIO

/// Makes the files of results from a journal.
struct JournalResults {
  let folder: String
  let journal: Journal
  /// What was done, such as `check`.
  let verb: String

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
      let document = try JSONValue(parsing: result.line())
      let name = CaptureName(path: record.path).name
      try files.append(
        ResultEntry(
          path: record.path, bytes: document["bytes"]?.integer, sha256: record.sha256,
          code: record.code, document: document, outputName: name,
          hasThumbnail: hasImage(name), timing: record.timing))
    }
    _ = try files.publish()
    return code
  }

  private func hasImage(_ name: String) -> Bool {
    (try? FileOperations.system.kind("\(folder)/thumbnails/\(name).jpg")) == .file
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
