import Plumbline
import PlumblineIO

/// The files that are made from a journal at the end of a run.
package struct BatchResults {
  let folder: String
  let journal: Journal

  /// The names of all of them.
  package static let fileNames = [
    "results.jsonl", "results.csv", "timings.csv", "results.html",
  ]

  /// Describes the files of a folder.
  package init(folder: String, journal: Journal) {
    self.folder = folder
    self.journal = journal
  }

  /// Writes them beside the old ones, which they replace together.
  ///
  /// - Returns: The largest exit code of captures that failed; 0 for none.
  /// - Throws: ``JournalError``, `OutputError`. O(*n*); one capture is in memory at a time.
  package func write() throws -> Int {
    var code = 0
    var transaction = OutputTransaction(existing: .replace)
    let path = folder + "/results.jsonl"
    try transaction.stage(at: path) { file throws(OutputError) in
      var pending: [UInt8] = []
      do {
        try journal.forEach { record in
          guard let result = record.result else { return }
          pending += try result.line()
          pending.append(UInt8(ascii: "\n"))
          if record.state == .failed { code = max(code, record.code) }
          if pending.count >= 1 << 20 {
            try file.write(pending)
            pending.removeAll(keepingCapacity: true)
          }
        }
        try file.write(pending)
      } catch let error as OutputError {
        throw error
      } catch {
        throw OutputError(.inputOutput, path: path, detail: "\(error)")
      }
    }
    _ = try transaction.publish()
    return code
  }
}
