public import PlumblineIO

/// One capture of a batch as its worker answered: what every file of results is made from.
public struct ResultEntry: Sendable {
  /// What the work took; the only part that depends on the run.
  public struct Timing: Sendable, Hashable {
    /// The number of the attempt that gave the result, from 1.
    public var attempt: Int
    /// From handing the capture out to the answer, in seconds.
    public var seconds: Double
    /// Of all processors together, in seconds; `nil` if unknown.
    public var cpuSeconds: Double?
    /// The worker's largest resident memory so far, in bytes; `nil` if unknown.
    public var peakBytes: Int?

    /// Creates a timing.
    public init(attempt: Int, seconds: Double, cpuSeconds: Double? = nil, peakBytes: Int? = nil) {
      self.attempt = attempt
      self.seconds = seconds
      self.cpuSeconds = cpuSeconds
      self.peakBytes = peakBytes
    }
  }

  /// The path of the capture as it was given.
  public var path: String
  /// The size of the file in bytes; `nil` for a folder, or if unknown.
  public var bytes: Int?
  /// The digest of the file, 64 hexadecimal digits; `nil` for a folder, or if unknown.
  public var sha256: String?
  /// The exit code of the verb.
  public var code: Int
  /// The document of the verb, or `plumbline.error/1`; `null` where the verb prints none.
  public var document: JSONValue
  /// The name of its folder in `captures/` and, without ending, of its image in `thumbnails/`; not used where
  /// it has neither.
  public var outputName: String
  /// Whether `thumbnails/NAME.jpg` is there.
  public var hasThumbnail: Bool
  /// What the work took; `nil` if unknown.
  public var timing: Timing?
  /// The row and the line, where they were made before; they are then not made of the document.
  private(set) var made: (row: ResultRow, line: [UInt8])?

  /// Creates an entry from its parts.
  public init(
    path: String, bytes: Int?, sha256: String?, code: Int, document: JSONValue, outputName: String,
    hasThumbnail: Bool, timing: Timing? = nil
  ) {
    self.path = path
    self.bytes = bytes
    self.sha256 = sha256
    self.code = code
    self.document = document
    self.outputName = outputName
    self.hasThumbnail = hasThumbnail
    self.timing = timing
  }

  /// Creates an entry from a row and a line that were made of a document which is not needed again.
  init(
    row: ResultRow, line: [UInt8], outputName: String, hasThumbnail: Bool, timing: Timing?
  ) {
    self.init(
      path: row.path, bytes: row.bytes, sha256: row.sha256, code: row.code, document: .null,
      outputName: outputName, hasThumbnail: hasThumbnail, timing: timing)
    made = (row, line)
  }

  /// The entry as a row; O(*n*) in the document.
  public var row: ResultRow {
    if let made { return made.row }
    return ResultRow(path: path, bytes: bytes, sha256: sha256, code: code, document: document)
  }

  /// The line of `results.jsonl` without its end: the document with `path`, `bytes` and `sha256`.
  ///
  /// Without a document the exit code stands for it.
  public var line: [UInt8] {
    if let made { return made.line }
    let added = ["path", "bytes", "sha256"]
    var members = document.members.filter { !added.contains($0.key) }
    if members.isEmpty { members.append((key: "code", value: .integer(code))) }
    members += [
      (key: "path", value: .string(path)), (key: "bytes", value: .integer(bytes)),
      (key: "sha256", value: .string(sha256 ?? document["sha256"]?.string)),
    ]
    return JSONWriter(layout: .compact).bytes(.object(members))
  }
}
