package import PlumblineIO

/// The result of a capture as the journal keeps it: a line of `results.jsonl`, deflated, and the facts
/// that the journal has columns for.
///
/// Workers make it, so that the process that hands out the work has little to do for a capture.
package struct PackedResult: Sendable, Hashable {
  /// The line without its line feed, in zlib's format.
  package var deflated: [UInt8]
  /// How many bytes the line has.
  package var byteCount: Int
  /// Whether the capture gave no result.
  package var isFailed: Bool
  /// The verdict; `nil` for documents without one.
  package var verdict: String?
  /// One standard deviation of the depth at its median, in millimeters; `nil` where it is not known.
  package var depthSigmaMillimeters: Double?
  /// The codes of the findings, separated by spaces; empty for none.
  package var findings: String
  /// The sentence of an error; `nil` for a result.
  package var error: String?
  /// The row of tables as ``ResultRow`` packs it, in JSON.
  package var row: String

  /// Packs a document with the path, size and digest of its capture.
  ///
  /// Nothing in it depends on the run. O(*n*).
  package init(
    _ document: JSONValue, code: Int, path: String, bytes: Int?, sha256: String?
  ) {
    let own: [(key: String, value: JSONValue)] = [
      ("path", .string(path)), ("bytes", .integer(bytes)), ("sha256", .string(sha256)),
    ]
    let members = document.members.filter { member in !own.contains { $0.key == member.key } }
    let line = JSONWriter(layout: .compact).bytes(.object(members + own))
    byteCount = line.count
    // The fastest level: documents shrink to a quarter, and level 6 takes three times as long for 15 % less.
    deflated = ZlibStream.deflated(line, level: 1)
    let row = ResultRow(path: path, bytes: bytes, sha256: sha256, code: code, document: document)
    isFailed = row.state == .failed
    verdict = row.verdict
    depthSigmaMillimeters = row.depthSigmaMillimeters
    findings = row.findings.map(\.code).joined(separator: " ")
    error = row.error?.message
    self.row = JSONWriter(layout: .compact).text(row.packed)
  }

  /// A result as a journal has it.
  init(
    deflated: [UInt8], byteCount: Int, isFailed: Bool, verdict: String?,
    depthSigmaMillimeters: Double?, findings: String, error: String?,
    row: String
  ) {
    self.deflated = deflated
    self.byteCount = byteCount
    self.isFailed = isFailed
    self.verdict = verdict
    self.depthSigmaMillimeters = depthSigmaMillimeters
    self.findings = findings
    self.error = error
    self.row = row
  }

  /// The line of `results.jsonl` without its line feed.
  ///
  /// - Throws: `.malformed` for bytes that were damaged.
  package func line() throws(CaptureReadingError) -> [UInt8] {
    try ZlibStream.inflated([deflated[...]], exactly: byteCount, path: ["document"])
  }
}
