internal import CSQLite

/// One open database, for one thread at a time.
///
/// Statements are compiled once for each text.
struct SQLiteConnection: ~Copyable {
  private let handle: OpaquePointer
  private var statements: [String: SQLiteStatement] = [:]

  /// Opens the file, or makes it.
  init(path: String) throws(SQLiteFailure) {
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    let code = sqlite3_open_v2(path, &opened, flags, nil)
    guard code == SQLITE_OK, let opened else {
      let message = opened.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
      sqlite3_close_v2(opened)
      throw SQLiteFailure(code: code, message: message)
    }
    handle = opened
  }

  deinit {
    for statement in statements.values { statement.end() }
    sqlite3_close_v2(handle)
  }

  /// Runs a text of statements without values, and takes no rows.
  func run(script: String) throws(SQLiteFailure) {
    let code = sqlite3_exec(handle, script, nil, nil, nil)
    guard code == SQLITE_OK else {
      throw SQLiteFailure(code: code, message: String(cString: sqlite3_errmsg(handle)))
    }
  }

  /// Runs a statement, and takes no rows.
  mutating func run(_ sql: String, _ values: [SQLiteValue] = []) throws(SQLiteFailure) {
    let statement = try prepared(sql)
    defer { statement.reset() }
    try statement.bind(values)
    while try statement.step() {}
  }

  /// Passes the first row, if there is one.
  mutating func first<Value>(
    _ sql: String, _ values: [SQLiteValue] = [], _ read: (SQLiteStatement) -> Value?
  ) throws(SQLiteFailure) -> Value? {
    let statement = try prepared(sql)
    defer { statement.reset() }
    try statement.bind(values)
    return try statement.step() ? read(statement) : nil
  }

  /// What is read of every row, in their order.
  mutating func all<Value>(
    _ sql: String, _ values: [SQLiteValue] = [], _ read: (SQLiteStatement) -> Value
  ) throws(SQLiteFailure) -> [Value] {
    let statement = try prepared(sql)
    defer { statement.reset() }
    try statement.bind(values)
    var found: [Value] = []
    while try statement.step() { found.append(read(statement)) }
    return found
  }

  /// Runs work as one commit; where it throws, nothing of it is kept.
  mutating func commit(
    _ work: (inout SQLiteConnection) throws(SQLiteFailure) -> Void
  ) throws(SQLiteFailure) {
    try run(script: "BEGIN IMMEDIATE")
    do throws(SQLiteFailure) {
      try work(&self)
      try run(script: "COMMIT")
    } catch {
      try? run(script: "ROLLBACK")
      throw error
    }
  }

  private mutating func prepared(_ sql: String) throws(SQLiteFailure) -> SQLiteStatement {
    if let statement = statements[sql] { return statement }
    let statement = try SQLiteStatement(sql, in: handle)
    statements[sql] = statement
    return statement
  }
}
