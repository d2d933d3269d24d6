import PlumblineIO

/// The tables of a journal.
enum JournalSchema {
  /// Makes the tables of an empty database.
  static func create(in database: borrowing SQLiteConnection) throws(SQLiteFailure) {
    try database.run(
      script: """
        PRAGMA application_id = \(Journal.application);
        PRAGMA user_version = \(Journal.schemaVersion);
        CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
        CREATE TABLE capture (
          id INTEGER PRIMARY KEY,
          path TEXT NOT NULL UNIQUE,
          bytes INTEGER,
          modified_ns INTEGER,
          is_folder INTEGER,
          sha256 TEXT,
          settings TEXT NOT NULL,
          state TEXT NOT NULL CHECK (state IN ('todo', 'done', 'failed')),
          code INTEGER NOT NULL,
          attempt INTEGER NOT NULL,
          verdict TEXT,
          depth_sigma_mm REAL,
          findings TEXT,
          seconds REAL,
          cpu_seconds REAL,
          peak_bytes INTEGER,
          error TEXT,
          row TEXT,
          document BLOB,
          document_bytes INTEGER
        ) STRICT;
        """)
  }

  /// Keeps what is done with each capture.
  static func write(
    _ settings: BatchSettings, to database: inout SQLiteConnection
  ) throws(SQLiteFailure) {
    try database.run(
      "INSERT OR REPLACE INTO about (key, value) VALUES ('settings', ?)",
      [.text(JSONWriter(layout: .compact).text(settings.json))])
  }

  /// What was done with each capture; `nil` where the table does not say.
  static func settings(
    in database: inout SQLiteConnection
  ) throws(SQLiteFailure) -> BatchSettings? {
    let text = try database.first("SELECT value FROM about WHERE key = 'settings'") { $0.text(0) }
    guard let text, let value = try? JSONValue(parsing: Array(text.utf8)) else { return nil }
    return BatchSettings(value)
  }
}
