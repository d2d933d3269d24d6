import Plumbline
import PlumblineIO
import Synchronization

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
  // Before the connection, and so released before it: by then everything is committed, and SQLite's own locks hold.
  private let lock: HeldLock
  let database: Mutex<SQLiteConnection>
  /// The digest of the settings, which each row carries.
  let settings: String

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
    let isNew = (try? FileOperations.system.kind(path)) == .nothing
    if isNew, !replaces { try Self.requireUnoccupied(folder) }
    database = Mutex(try Self.opened(path))
    try prepare(settings, replaces: replaces)
  }

  /// A lock that ends with its owner, whether that could be made whole or not.
  ///
  /// It ends once: a descriptor that is closed twice may be another thread's by then.
  private struct HeldLock: ~Copyable {
    let descriptor: CInt

    deinit { FileOperations.system.unlock(descriptor) }
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
    var database = try opened(path)
    let settings: BatchSettings?
    do throws(SQLiteFailure) {
      settings = try JournalSchema.settings(in: &database)
    } catch { throw JournalError(error, path: path) }
    guard let settings else { throw withoutSettings(path) }
    return settings
  }

  private static func withoutSettings(_ path: String) -> JournalError {
    JournalError(.damaged, path: path, expected: "what the journal is about", found: "nothing")
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
  private static func locked(_ folder: String) throws(JournalError) -> HeldLock {
    let path = folder + "/.lock"
    do throws(SystemFailure) {
      if try FileOperations.system.kind(path) == .nothing {
        do throws(SystemFailure) {
          try FileOperations.system.close(FileOperations.system.create(path))
        } catch  where error.isExisting {}
      }
      return HeldLock(descriptor: try FileOperations.system.lock(path, false))
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

  private static func opened(_ path: String) throws(JournalError) -> SQLiteConnection {
    do throws(SQLiteFailure) {
      let database = try SQLiteConnection(path: path)
      // A power failure must not undo a commit: its capture would be done again, which costs time, but
      // what programs have read of results.jsonl would not have been true. Files of strangers are opened as well.
      try database.run(
        script: """
          PRAGMA synchronous = FULL;
          PRAGMA trusted_schema = OFF;
          PRAGMA cell_size_check = ON;
          PRAGMA journal_mode = WAL;
          """)
      return database
    } catch { throw JournalError(error, path: path) }
  }

  /// Checks what is there, and makes the tables where there are none.
  private func prepare(_ settings: BatchSettings, replaces: Bool) throws(JournalError) {
    let state = try perform { database throws(SQLiteFailure) in
      try database.first(
        """
        SELECT (SELECT count(*) FROM sqlite_schema), application_id, user_version
        FROM pragma_application_id, pragma_user_version
        """
      ) { (tables: $0.integer(0) ?? 0, owner: $0.integer(1), version: $0.integer(2) ?? 0) }
    }
    guard let state, state.tables > 0 else {
      try perform { database throws(SQLiteFailure) in
        try database.commit { database throws(SQLiteFailure) in
          try JournalSchema.create(in: database)
          try JournalSchema.write(settings, to: &database)
        }
      }
      return
    }
    guard state.owner == Self.application, state.version > 0 else {
      throw JournalError(
        .damaged, path: path, expected: "a journal of captures", found: "another SQLite database")
    }
    guard state.version <= Self.schemaVersion else {
      throw JournalError(
        .newerSchema, path: path, expected: "a journal of version \(Self.schemaVersion)",
        found: "version \(state.version), which a later version of this program made")
    }
    let check = try perform { database throws(SQLiteFailure) in
      try database.first("PRAGMA quick_check(1)") { $0.text(0) }
    }
    guard check == "ok" else {
      throw JournalError(
        .damaged, path: path, expected: "a sound SQLite database",
        found: printable(text: check ?? "nothing"))
    }
    try requireSame(settings, replaces: replaces)
  }

  private func requireSame(
    _ settings: BatchSettings, replaces: Bool
  ) throws(JournalError) {
    let before = try perform { database throws(SQLiteFailure) in
      try JournalSchema.settings(in: &database)
    }
    guard let before else { throw Self.withoutSettings(path) }
    guard before.digest != settings.digest else { return }
    guard replaces else {
      throw JournalError(
        .otherSettings, path: path, expected: "results of: \(before.words)",
        found: "a run of: \(settings.words)")
    }
    try perform { database throws(SQLiteFailure) in
      try JournalSchema.write(settings, to: &database)
    }
  }

  /// Runs database work, and translates its errors.
  func perform<Value: Sendable>(
    _ work: (inout SQLiteConnection) throws(SQLiteFailure) -> Value
  ) throws(JournalError) -> Value {
    do throws(SQLiteFailure) {
      return try database.withLock { database throws(SQLiteFailure) in try work(&database) }
    } catch { throw JournalError(error, path: path) }
  }
}

extension JournalError {
  /// What a failure of SQLite means for a journal.
  init(_ failure: SQLiteFailure, path: String) {
    let reason: Reason =
      switch failure.kind {
      case .damaged: .damaged
      case .refused: .cannotCreate
      case .other: .inputOutput
      }
    self.init(
      reason, path: path, expected: "a journal that can be used",
      found: printable(text: failure.message))
  }
}
