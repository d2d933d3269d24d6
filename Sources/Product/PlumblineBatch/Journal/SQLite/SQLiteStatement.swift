internal import CSQLite

/// A compiled statement, which must be ended before its connection.
struct SQLiteStatement {
  private let handle: OpaquePointer

  /// Compiles the first statement of a text.
  init(_ sql: String, in connection: OpaquePointer) throws(SQLiteFailure) {
    var statement: OpaquePointer?
    let code = sqlite3_prepare_v2(connection, sql, -1, &statement, nil)
    guard code == SQLITE_OK, let statement else {
      throw SQLiteFailure(code: code, message: String(cString: sqlite3_errmsg(connection)))
    }
    handle = statement
  }

  /// Ends it; it must not be used again.
  func end() { sqlite3_finalize(handle) }

  /// Makes it ready to run with these values for its question marks.
  ///
  /// - Precondition: There are as many as question marks.
  func bind(_ values: [SQLiteValue]) throws(SQLiteFailure) {
    precondition(sqlite3_bind_parameter_count(handle) == values.count, "values of a statement")
    sqlite3_reset(handle)
    for (index, value) in values.enumerated() {
      let code = bind(value, at: CInt(index + 1))
      guard code == SQLITE_OK else { throw failure(code) }
    }
  }

  private func bind(_ value: SQLiteValue, at place: CInt) -> CInt {
    switch value {
    case .null: return sqlite3_bind_null(handle, place)
    case .integer(let value): return sqlite3_bind_int64(handle, place, Int64(value))
    case .real(let value): return sqlite3_bind_double(handle, place, value)
    case .text(var text):
      return text.withUTF8 { bytes in
        bytes.withMemoryRebound(to: CChar.self) {
          // An empty buffer may have no address, which would be NULL.
          $0.baseAddress.map {
            plumbline_sqlite_bind_text(handle, place, $0, UInt64(bytes.count))
          } ?? plumbline_sqlite_bind_text(handle, place, "", 0)
        }
      }
    case .bytes(let bytes):
      guard !bytes.isEmpty else { return sqlite3_bind_zeroblob(handle, place, 0) }
      return bytes.withUnsafeBytes {
        plumbline_sqlite_bind_blob(handle, place, $0.baseAddress, UInt64($0.count))
      }
    }
  }

  /// Goes to the next row; `false` after the last one.
  func step() throws(SQLiteFailure) -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw failure(code)
    }
  }

  /// Gives up the rows that are left and the values.
  func reset() {
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
  }

  private func failure(_ code: CInt) -> SQLiteFailure {
    let connection = sqlite3_db_handle(handle)
    return SQLiteFailure(code: code, message: String(cString: sqlite3_errmsg(connection)))
  }
}

/// The row that a statement is at: columns from 0, `nil` for NULL.
extension SQLiteStatement {
  func integer(_ column: CInt) -> Int? {
    isNull(column) ? nil : Int(sqlite3_column_int64(handle, column))
  }

  func real(_ column: CInt) -> Double? {
    isNull(column) ? nil : sqlite3_column_double(handle, column)
  }

  func text(_ column: CInt) -> String? {
    bytes(column).map { String(decoding: $0, as: UTF8.self) }
  }

  func bytes(_ column: CInt) -> [UInt8]? {
    guard !isNull(column) else { return nil }
    guard let start = sqlite3_column_blob(handle, column) else { return [] }
    return Array(
      UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column))))
  }

  private func isNull(_ column: CInt) -> Bool {
    sqlite3_column_type(handle, column) == SQLITE_NULL
  }
}
