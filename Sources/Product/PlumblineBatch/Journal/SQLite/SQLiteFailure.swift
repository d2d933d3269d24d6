internal import CSQLite

/// What SQLite said of a call that failed.
struct SQLiteFailure: Error, Hashable {
  /// Whose fault it is.
  enum Kind: Hashable {
    /// The file is no database, or damaged.
    case damaged
    /// The file cannot be opened, made or written.
    case refused
    /// The disk, memory or something else failed.
    case other
  }

  let kind: Kind
  /// The message of SQLite, in English.
  let message: String

  /// Takes the result code of a call, extended or not.
  init(code: CInt, message: String) {
    self.message = message
    kind =
      switch code & 0xFF {
      case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_MISMATCH: .damaged
      case SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_PERM: .refused
      default: .other
      }
  }
}
