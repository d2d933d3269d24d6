import Plumbline
import PlumblineBatch

/// The table of devices of files or folders of results, and the files that hold it.
struct FleetReport {
  /// Files of results, or folders of them.
  let results: [String]

  /// Groups the sessions by device.
  ///
  /// - Throws: For a file that cannot be read; a line that is no document of a session is named in the table.
  func table() throws -> FleetTable {
    var fleet = FleetTable.Builder()
    for path in results {
      let name = printable(text: path)
      try DocumentLines(path: path).forEach { line, document in
        switch document {
        case .success(let document): fleet.add(document, called: "\(name), line \(line)")
        case .failure(let error): fleet.add(error, called: "\(name), line \(line)")
        }
      }
    }
    return fleet.table()
  }

  /// The page of a table.
  func page(_ table: FleetTable) -> [UInt8] {
    let names = results.map { lastPathPart($0) }
    let title = names.count > 3 ? "\(names.count) results" : names.joined(separator: ", ")
    return table.page(title: "Devices: \(title)")
  }

  /// Writes files together, each whole or not at all.
  func write(
    _ files: [(path: String, bytes: [UInt8])], existing: OutputTransaction.ExistingFiles
  ) throws {
    var transaction = OutputTransaction(existing: existing)
    for file in files { try transaction.stage(file.bytes, at: file.path) }
    _ = try transaction.publish()
  }
}
