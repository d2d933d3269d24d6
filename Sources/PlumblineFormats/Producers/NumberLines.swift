/// A text of lines as data sets write tables: fields apart by white space or commas.
struct NumberLines {
  /// The fields of each line that has any, without comments.
  private(set) var lines: [[Substring]] = []
  /// What stands behind `#`.
  private(set) var comments: [Substring] = []

  /// Splits a text; a byte order mark and carriage returns are left out.
  ///
  /// - Throws: `.limitExceeded` for more than 4 million lines. O(*n*).
  init(_ bytes: [UInt8], limits: ReadingLimits, path: String) throws(CaptureReadingError) {
    try limits.require(bytes.count, atMost: limits.fileBytes, "bytes of text", path: [path])
    let text = String(decoding: bytes, as: UTF8.self)
    for line in text.split(whereSeparator: { $0.isNewline }) {
      var line = line
      if let hash = line.firstIndex(of: "#") {
        if comments.count < 100 { comments.append(line[line.index(after: hash)...]) }
        line = line[..<hash]
      }
      let fields = line.split { $0 == " " || $0 == "\t" || $0 == "," || $0 == "\u{FEFF}" }
      guard !fields.isEmpty else { continue }
      lines.append(fields)
      try limits.require(lines.count, atMost: 4_000_000, "lines", path: [path])
    }
  }

  /// The numbers of a line from a field on; `nil` when one is no finite number.
  static func numbers(_ fields: ArraySlice<Substring>) -> [Double]? {
    let numbers = fields.compactMap { Double($0) }
    return numbers.count == fields.count && numbers.allSatisfy(\.isFinite) ? numbers : nil
  }
}
