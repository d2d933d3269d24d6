internal import GRDB
import PlumblineIO

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension Journal {
  /// What is known of a capture under these settings; `nil` for nothing.
  ///
  /// O(log *n*).
  package func known(_ path: String) throws(JournalError) -> KnownCapture? {
    try perform { database -> KnownCapture? in
      let statement = try database.cachedStatement(
        sql: """
          SELECT state, bytes, modified_ns, is_folder, sha256, attempt FROM capture
          WHERE path = ? AND settings = ?
          """)
      guard let row = try Row.fetchOne(statement, arguments: [path, self.settings]),
        let state = JournalRecord.State(rawValue: row[0])
      else { return nil }
      var identity: CaptureIdentity?
      if let bytes = row[1] as Int?, let modified = row[2] as Int? {
        identity = CaptureIdentity(bytes: bytes, modified: modified, isFolder: row[3] ?? false)
      }
      return KnownCapture(state: state, identity: identity, sha256: row[4], attempt: row[5])
    }
  }

  /// The line of `results.jsonl` of a capture; `nil` for one without a result.
  ///
  /// O(log *n*).
  func result(of path: String) throws -> [UInt8]? {
    let row = try perform { database in
      try Row.fetchOne(
        database,
        sql: """
          SELECT document, document_bytes FROM capture
          WHERE path = ? AND settings = ? AND state <> 'todo'
          """, arguments: [path, self.settings])
    }
    guard let row, let document = row[0] as Data?, let count = row[1] as Int? else { return nil }
    return try ZlibStream.inflated([Array(document)[...]], exactly: count, path: ["document"])
  }

  /// Records captures in one commit, which is on the disk afterwards.
  ///
  /// A capture that was recorded before is replaced.
  package func record(_ records: [JournalRecord]) throws(JournalError) {
    guard !records.isEmpty else { return }
    try perform { database in
      try database.inTransaction {
        let statement = try database.cachedStatement(sql: Self.insertion)
        for record in records { try statement.execute(arguments: self.arguments(of: record)) }
        return .commit
      }
    }
  }

  /// Notes that files have other times and the bytes of before.
  package func renew(_ captures: [(path: String, identity: CaptureIdentity)]) throws(JournalError) {
    guard !captures.isEmpty else { return }
    try perform { database in
      try database.inTransaction {
        let statement = try database.cachedStatement(
          sql: "UPDATE capture SET bytes = ?, modified_ns = ? WHERE path = ?")
        for (path, identity) in captures {
          try statement.execute(arguments: [identity.bytes, identity.modified, path])
        }
        return .commit
      }
    }
  }

  private static let insertion = """
    INSERT INTO capture (path, bytes, modified_ns, is_folder, sha256, settings, state, code, attempt,
      verdict, depth_sigma_mm, findings, seconds, cpu_seconds, peak_bytes, error, row, document,
      document_bytes)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (path) DO UPDATE SET bytes = excluded.bytes, modified_ns = excluded.modified_ns,
      is_folder = excluded.is_folder, sha256 = excluded.sha256, settings = excluded.settings,
      state = excluded.state, code = excluded.code, attempt = excluded.attempt,
      verdict = excluded.verdict, depth_sigma_mm = excluded.depth_sigma_mm,
      findings = excluded.findings, seconds = excluded.seconds, cpu_seconds = excluded.cpu_seconds,
      peak_bytes = excluded.peak_bytes, error = excluded.error, row = excluded.row, document = excluded.document,
      document_bytes = excluded.document_bytes
    """

  private func arguments(of record: JournalRecord) -> StatementArguments {
    let result = record.result
    let identity = record.identity
    let values: [(any DatabaseValueConvertible)?] = [
      record.path, identity?.bytes, identity?.modified, identity?.isFolder, record.sha256,
      settings, record.state.rawValue, record.code, record.attempt, result?.verdict,
      result?.depthSigmaMillimeters, result?.findings, record.seconds, record.processorSeconds,
      record.peakBytes, result?.error, result?.row, result.map { Data($0.deflated) },
      result?.byteCount,
    ]
    return StatementArguments(values)
  }

  /// How many captures have a result, and how many failed.
  ///
  /// O(*n*).
  package func counts() throws(JournalError) -> (done: Int, failed: Int) {
    try perform { database in
      let rows = try Row.fetchAll(
        database, sql: "SELECT state, count(*) FROM capture WHERE settings = ? GROUP BY state",
        arguments: [self.settings])
      var counts: [String: Int] = [:]
      for row in rows { counts[row[0]] = row[1] }
      return (counts["done"] ?? 0, counts["failed"] ?? 0)
    }
  }

  /// Passes every capture with a result or an error, in the order of the bytes of the paths.
  ///
  /// - Parameter body: Takes a record; what it throws ends the iteration.
  /// - Throws: ``JournalError``, and what `body` throws. O(*n*); one record is in memory at a time.
  package func forEach(_ body: (JournalRecord) throws -> Void) throws {
    try database.inDatabase { database in
      let rows = try Row.fetchCursor(
        database,
        sql: """
          SELECT path, bytes, modified_ns, is_folder, sha256, state, code, attempt, verdict,
            depth_sigma_mm, findings, seconds, cpu_seconds, peak_bytes, error, document, document_bytes,
            row
          FROM capture WHERE settings = ? AND state <> 'todo' ORDER BY path
          """, arguments: [self.settings])
      while let row = try rows.next() {
        guard let record = Self.record(row) else {
          throw JournalError(
            .damaged, path: self.path, expected: "rows with results", found: "one without")
        }
        try body(record)
      }
    }
  }

  private static func record(_ row: Row) -> JournalRecord? {
    guard let state = JournalRecord.State(rawValue: row[5]), let document = row[15] as Data?,
      let count = row[16] as Int?, count >= 0
    else { return nil }
    var identity: CaptureIdentity?
    if let bytes = row[1] as Int?, let modified = row[2] as Int? {
      identity = CaptureIdentity(bytes: bytes, modified: modified, isFolder: row[3] ?? false)
    }
    let result = PackedResult(
      deflated: Array(document), byteCount: count, isFailed: state == .failed, verdict: row[8],
      depthSigmaMillimeters: row[9], findings: row[10] ?? "", error: row[14],
      row: row[17] ?? "")
    return JournalRecord(
      path: row[0], identity: identity, sha256: row[4], state: state, code: row[6],
      attempt: row[7], seconds: row[11], processorSeconds: row[12], peakBytes: row[13],
      result: result)
  }
}
