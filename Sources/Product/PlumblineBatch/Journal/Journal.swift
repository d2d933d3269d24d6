internal import GRDB
import Plumbline
import PlumblineIO

/// What was done, on the disk: one row for each capture, in SQLite.
///
/// A row that was recorded outlives a killed process and a power failure. One process has the folder; it is
/// used from one thread at a time.
///
/// - Source: decision 0047.
package final class Journal: Sendable {
  /// The name of the file in the folder of results.
  package static let fileName = "journal.sqlite"
  /// The version of the tables that this program reads and writes.
  static let schemaVersion = 1
  /// What tells SQLite's tools and this program whose file it is: "PLBJ".
  static let application = 0x504C_424A

  /// The path of the file.
  let path: String
  let database: DatabaseQueue
  /// The digest of the settings, which each row carries.
  let settings: String
  private let lock: CInt

  /// Opens the journal of a folder, or makes it.
  ///
  /// - Parameters:
  ///   - folder: The folder of results; it is made, its parent is not.
  ///   - settings: What is done with each capture.
  ///   - replaces: Whether results of other settings are given up: all captures are then to be done.
  /// - Throws: ``JournalError``. Cost: every page of the file is read once.
  package init(
    folder: String, settings: BatchSettings, replaces: Bool = false
  ) throws(JournalError) {
    path = folder + "/" + Self.fileName
    self.settings = settings.digest
    try Self.makeFolder(folder)
    lock = try Self.locked(folder)
    do throws(JournalError) {
      let isNew = (try? FileOperations.system.kind(path)) == .nothing
      if isNew, !replaces { try Self.requireUnoccupied(folder) }
      database = try Self.opened(path)
      try prepare(settings, replaces: replaces)
    } catch {
      try? FileOperations.system.close(lock)
      throw error
    }
  }

  deinit {
    try? database.close()
    try? FileOperations.system.close(lock)
  }

  /// What the journal of a folder is about.
  ///
  /// - Throws: ``JournalError``; `.damaged` for a folder without a journal.
  static func settings(of folder: String) throws(JournalError) -> BatchSettings {
    let path = folder + "/" + fileName
    guard (try? FileOperations.system.kind(path)) == .file else {
      throw JournalError(
        .damaged, path: folder, expected: "a folder of results with a \(fileName)", found: "none")
    }
    let database = try opened(path)
    defer { try? database.close() }
    do {
      guard let settings = try database.inDatabase({ try JournalSchema.settings(in: $0) }) else {
        throw JournalError(
          .damaged, path: path, expected: "what the journal is about", found: "nothing")
      }
      return settings
    } catch { throw failure(error, path: path) }
  }

  private static func makeFolder(_ folder: String) throws(JournalError) {
    for path in [folder, folder + "/captures", folder + "/thumbnails"] {
      do throws(SystemFailure) {
        if try FileOperations.system.kind(path) == .directory { continue }
        try FileOperations.system.createDirectory(path)
      } catch {
        throw JournalError(
          .cannotCreate, path: path, expected: "a folder that can be made", found: error.text)
      }
    }
  }

  /// Takes the folder for this process.
  private static func locked(_ folder: String) throws(JournalError) -> CInt {
    let path = folder + "/.lock"
    do throws(SystemFailure) {
      if try FileOperations.system.kind(path) == .nothing {
        do throws(SystemFailure) {
          try FileOperations.system.close(FileOperations.system.create(path))
        } catch  where error.isExisting {}
      }
      return try FileOperations.system.lock(path, false)
    } catch {
      if error.isLocked {
        throw JournalError(
          .locked, path: folder, expected: "a folder that no other run uses",
          found: "one that a run uses now")
      }
      throw JournalError(
        .cannotCreate, path: folder, expected: "a folder that can be locked", found: error.text)
    }
  }

  /// Refuses a folder that holds files of the names of results, which are somebody else's.
  private static func requireUnoccupied(_ folder: String) throws(JournalError) {
    for name in ResultFiles.names.sorted()
    where (try? FileOperations.system.kind("\(folder)/\(name)")) != .nothing {
      throw JournalError(
        .occupied, path: folder, expected: "a new folder, or one with a \(fileName)",
        found: "a file \(name) without it")
    }
  }

  private static func opened(_ path: String) throws(JournalError) -> DatabaseQueue {
    var configuration = Configuration()
    configuration.label = "journal"
    configuration.prepareDatabase { database in
      // A power failure must not undo a commit: its capture would be done again, which costs time, but
      // what programs have read of results.jsonl would not have been true.
      try database.execute(sql: "PRAGMA synchronous = FULL")
      // Files of strangers are opened as well.
      try database.execute(sql: "PRAGMA trusted_schema = OFF")
      try database.execute(sql: "PRAGMA cell_size_check = ON")
    }
    do {
      let database = try DatabaseQueue(path: path, configuration: configuration)
      try database.inDatabase { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
      return database
    } catch { throw failure(error, path: path) }
  }

  /// Checks what is there, and makes the tables where there are none.
  private func prepare(_ settings: BatchSettings, replaces: Bool) throws(JournalError) {
    try perform { database in
      let application = try Int.fetchOne(database, sql: "PRAGMA application_id") ?? 0
      let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
      let isEmpty = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_schema") == 0
      if isEmpty {
        try database.inTransaction {
          try JournalSchema.create(in: database)
          try JournalSchema.write(settings, to: database)
          return .commit
        }
        return
      }
      guard application == Self.application, version > 0 else {
        throw JournalError(
          .damaged, path: self.path, expected: "a journal of captures",
          found: "another SQLite database")
      }
      guard version <= Self.schemaVersion else {
        throw JournalError(
          .newerSchema, path: self.path, expected: "a journal of version \(Self.schemaVersion)",
          found: "version \(version), which a later version of this program made")
      }
      let check = try String.fetchOne(database, sql: "PRAGMA quick_check(1)") ?? "nothing"
      guard check == "ok" else {
        throw JournalError(
          .damaged, path: self.path, expected: "a sound SQLite database",
          found: printable(text: check))
      }
      try self.requireSame(settings, in: database, replaces: replaces)
    }
  }

  private func requireSame(
    _ settings: BatchSettings, in database: Database, replaces: Bool
  ) throws {
    guard let before = try JournalSchema.settings(in: database) else {
      throw JournalError(
        .damaged, path: path, expected: "what the journal is about", found: "nothing")
    }
    guard before.digest != settings.digest else { return }
    guard replaces else {
      throw JournalError(
        .otherSettings, path: path, expected: "results of: \(before.words)",
        found: "a run of: \(settings.words)")
    }
    try database.inTransaction {
      try JournalSchema.write(settings, to: database)
      return .commit
    }
  }

  /// Runs database work, and translates its errors.
  func perform<Value>(_ work: (Database) throws -> Value) throws(JournalError) -> Value {
    do { return try database.inDatabase(work) } catch { throw Self.failure(error, path: path) }
  }

  private static func failure(_ error: any Error, path: String) -> JournalError {
    if let error = error as? JournalError { return error }
    guard let error = error as? DatabaseError else {
      return JournalError(
        .inputOutput, path: path, expected: "a journal that can be used", found: "\(error)")
    }
    let reason: JournalError.Reason =
      switch error.resultCode {
      case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_MISMATCH: .damaged
      case .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM: .cannotCreate
      default: .inputOutput
      }
    return JournalError(
      reason, path: path, expected: "a journal that can be used",
      found: printable(text: error.message ?? "\(error.resultCode)"))
  }
}
