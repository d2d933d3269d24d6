internal import GRDB
import Plumbline
import PlumblineIO

/// The file of a journal.
enum JournalFile {
  /// The number of rows of a table.
  static func rowCount(of table: String, at path: String) throws -> Int {
    try DatabaseQueue(path: path).read { try Table(table).fetchCount($0) }
  }
}
