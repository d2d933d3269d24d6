/// A text of lines as data sets write tables: fields apart by white space or commas.
struct NumberLines {
  /// The fields of each line that has any, without comments.
  private(set) var lines: [[Substring]] = []
  /// What stands behind `#`.
  private(set) var comments: [Substring] = []

  /// Splits a text; a byte order mark and carriage returns are left out.
  ///
  /// - Throws: `.limitExceeded` for more than a million lines or 64 fields in one. O(*n*).
  init(_ bytes: [UInt8], limits: ReadingLimits, path: String) throws(CaptureReadingError) {
    try limits.require(bytes.count, atMost: limits.fileBytes, "bytes of text", path: [path])
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
