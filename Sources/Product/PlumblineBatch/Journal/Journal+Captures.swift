import PlumblineIO

extension Journal {
  /// What is known of a capture under these settings; `nil` for nothing.
  ///
  /// O(log *n*).
  package func known(_ path: String) throws(JournalError) -> KnownCapture? {
    try perform { database throws(SQLiteFailure) in
      try database.first(
        """
        SELECT state, bytes, modified_ns, is_folder, sha256, attempt FROM capture
        WHERE path = ? AND settings = ?
        """, [.text(path), .text(settings)]
      ) { row in
        row.text(0).flatMap(JournalRecord.State.init).map {
          KnownCapture(
            state: $0, identity: Self.identity(row, at: 1), sha256: row.text(4),
            attempt: row.integer(5) ?? 0)
        }
      }
    }
  }

  /// The line of `results.jsonl` of a capture; `nil` for one without a result.
  ///
  /// O(log *n*).
  func result(of path: String) throws -> [UInt8]? {
    let document = try perform { database throws(SQLiteFailure) in
      try database.first(
        """
        SELECT document, document_bytes FROM capture
        WHERE path = ? AND settings = ? AND state <> 'todo'
        """, [.text(path), .text(settings)]
      ) { row in row.bytes(0).flatMap { bytes in row.integer(1).map { (bytes, count: $0) } } }
    }
    guard let (bytes, count) = document, count >= 0 else { return nil }
    return try ZlibStream.inflated([bytes[...]], exactly: count, path: ["document"])
  }

  /// Records captures in one commit, which is on the disk afterwards.
  ///
  /// A capture that was recorded before is replaced.
  package func record(_ records: [JournalRecord]) throws(JournalError) {
    guard !records.isEmpty else { return }
    try perform { database throws(SQLiteFailure) in
      try database.commit { database throws(SQLiteFailure) in
        for record in records { try database.run(Self.insertion, values(of: record)) }
      }
    }
  }

  /// Notes that files have other times and the bytes of before.
  package func renew(_ captures: [(path: String, identity: CaptureIdentity)]) throws(JournalError) {
    guard !captures.isEmpty else { return }
    try perform { database throws(SQLiteFailure) in
      try database.commit { database throws(SQLiteFailure) in
        for (path, identity) in captures {
          try database.run(
            "UPDATE capture SET bytes = ?, modified_ns = ? WHERE path = ?",
            [.integer(identity.bytes), .integer(identity.modified), .text(path)])
        }
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

  private func values(of record: JournalRecord) -> [SQLiteValue] {
    let result = record.result
    let identity = record.identity
    return [
      .text(record.path), .integer(identity?.bytes), .integer(identity?.modified),
      .integer(identity.map { $0.isFolder ? 1 : 0 }), .text(record.sha256), .text(settings),
      .text(record.state.rawValue), .integer(record.code), .integer(record.attempt),
      .text(result?.verdict), .real(result?.depthSigmaMillimeters), .text(result?.findings),
      .real(record.seconds), .real(record.processorSeconds), .integer(record.peakBytes),
      .text(result?.error), .text(result?.row), .bytes(result?.deflated),
      .integer(result?.byteCount),
    ]
  }

  /// How many captures have a result, and how many failed.
  ///
  /// O(*n*).
  package func counts() throws(JournalError) -> (done: Int, failed: Int) {
    try perform { database throws(SQLiteFailure) in
      try database.first(
        "SELECT sum(state = 'done'), sum(state = 'failed') FROM capture WHERE settings = ?",
        [.text(settings)]
      ) { ($0.integer(0) ?? 0, $0.integer(1) ?? 0) } ?? (0, 0)
    }
  }

  /// Passes every capture with a result or an error, in the order of the bytes of the paths.
  ///
  /// - Parameter body: Takes a record; what it throws ends the iteration.
  /// - Throws: ``JournalError``, and what `body` throws. O(*n*); 64 records are in memory at a time.
  package func forEach(_ body: (JournalRecord) throws -> Void) throws {
    var last = ""
    while true {
      let page = try perform { database throws(SQLiteFailure) in
        try database.all(Self.selection, [.text(settings), .text(last)], Self.record)
      }
      for record in page {
        guard let record else {
          throw JournalError(
            .damaged, path: path, expected: "rows with results", found: "one without")
        }
        try body(record)
        last = record.path
      }
      guard page.count == Self.pageCount else { return }
    }
  }

  private static let pageCount = 64
  private static let selection = """
    SELECT path, bytes, modified_ns, is_folder, sha256, state, code, attempt, verdict,
      depth_sigma_mm, findings, seconds, cpu_seconds, peak_bytes, error, document, document_bytes,
      row
    FROM capture WHERE settings = ? AND state <> 'todo' AND path > ? ORDER BY path
    LIMIT \(pageCount)
    """

  private static func record(_ row: SQLiteStatement) -> JournalRecord? {
    guard let path = row.text(0), let state = row.text(5).flatMap(JournalRecord.State.init),
      let document = row.bytes(15), let count = row.integer(16), count >= 0
    else { return nil }
    let result = PackedResult(
      deflated: document, byteCount: count, isFailed: state == .failed, verdict: row.text(8),
      depthSigmaMillimeters: row.real(9), findings: row.text(10) ?? "", error: row.text(14),
      row: row.text(17) ?? "")
    return JournalRecord(
      path: path, identity: identity(row, at: 1), sha256: row.text(4), state: state,
      code: row.integer(6) ?? 0, attempt: row.integer(7) ?? 0, seconds: row.real(11),
      processorSeconds: row.real(12), peakBytes: row.integer(13), result: result)
  }

  /// The file of a row whose columns from `first` on are bytes, time and whether it is a folder.
  private static func identity(_ row: SQLiteStatement, at first: CInt) -> CaptureIdentity? {
    guard let bytes = row.integer(first), let modified = row.integer(first + 1) else { return nil }
    return CaptureIdentity(
      bytes: bytes, modified: modified, isFolder: row.integer(first + 2) == 1)
  }
}
