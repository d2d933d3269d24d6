/// A text of lines as data sets write tables: fields apart by white space or commas.
struct NumberLines {
  /// The fields of each line that has any, without comments.
  private(set) var lines: [[Substring]] = []
  /// What stands behind `#`.
  private(set) var comments: [Substring] = []

  /// Half an hour of poses at 200 Hz with all their digits has 40 MB.
  static let mostBytes = 64 << 20
  /// An hour of motion at 200 Hz in four fields each passes; a field costs 32 bytes of memory.
  static let mostFields = 3_000_000

  /// Splits a text; a byte order mark and carriage returns are left out.
  ///
  /// - Throws: `.limitExceeded` for more than 64 MB, a million lines, three million fields or 64 of
  ///   them in one line. O(*n*).
  init(
    _ bytes: [UInt8], limits: ReadingLimits, path: String, mostBytes: Int = Self.mostBytes,
    mostFields: Int = Self.mostFields
  ) throws(CaptureReadingError) {
    try limits.require(
      bytes.count, atMost: min(mostBytes, limits.fileBytes), "bytes of text", path: [path])
    var fieldCount = 0
    // Line by line, since a hostile text has more lines than memory has room for.
    var text = TextLines(bytes[...])
    while var line = text.next() {
      if let hash = line.firstIndex(of: UInt8(ascii: "#")) {
        if comments.count < 100 {
          comments.append(Substring(decoding: line[(hash + 1)...].prefix(1000), as: UTF8.self))
        }
        line = line[..<hash]
      }
      guard line.contains(where: { $0 > 32 }) else { continue }
      let fields = Substring(decoding: line.prefix(10_000), as: UTF8.self).split {
        $0 == " " || $0 == "\t" || $0 == "," || $0 == "\u{FEFF}"
      }
      try limits.require(fields.count, atMost: 64, "fields of a line", path: [path])
      fieldCount += fields.count
      try limits.require(fieldCount, atMost: mostFields, "fields of text", path: [path])
      guard !fields.isEmpty else { continue }
      lines.append(fields)
      try limits.require(lines.count, atMost: 1_000_000, "lines", path: [path])
    }
  }

  /// The numbers of a line from a field on; `nil` when one is no finite number.
  static func numbers(_ fields: ArraySlice<Substring>) -> [Double]? {
    let numbers = fields.compactMap { Double($0) }
    return numbers.count == fields.count && numbers.allSatisfy(\.isFinite) ? numbers : nil
  }
}
