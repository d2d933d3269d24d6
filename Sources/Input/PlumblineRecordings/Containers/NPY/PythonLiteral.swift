import PlumblineIO

/// A parser for the few Python literals in a NumPy header.
struct PythonLiteral {
  /// A value of the dictionary.
  enum Value: Hashable {
    /// `'<f4'`.
    case text(String)
    /// `True` or `False`.
    case truth(Bool)
    /// `(192, 256)`, without negative numbers.
    case integers([Int])
    /// A list, as in records with several fields; its contents are not parsed.
    case list
  }

  private var reader: ByteReader

  /// Starts at the first byte of a text.
  init(_ reader: ByteReader) { self.reader = reader }

  /// Reads a dictionary of strings and values up to its closing brace.
  ///
  /// Parsing stops at a list, since its contents are not needed to reject the header.
  /// - Throws: `.malformed` with the position.
  mutating func readDictionary() throws(CaptureReadingError) -> [String: Value] {
    var members: [String: Value] = [:]
    try expect("{")
    while !take("}") {
      let key = try readText()
      try expect(":")
      let value = try readValue()
      members[key] = members[key] ?? value
      if value == .list { return members }
      if !take(",") {
        try expect("}")
        break
      }
    }
    return members
  }

  private mutating func readValue() throws(CaptureReadingError) -> Value {
    skipSpace()
    switch peek() {
    case UInt8(ascii: "'"), UInt8(ascii: "\""): return .text(try readText())
    case UInt8(ascii: "("): return .integers(try readTuple())
    case UInt8(ascii: "["): return .list
    default:
      let word = take { (65...90).contains($0) || (97...122).contains($0) }
      switch word {
      case "True": return .truth(true)
      case "False": return .truth(false)
      default:
        throw reader.malformed(
          expected: "a text, a tuple, True or False", found: word.isEmpty ? next : word)
      }
    }
  }

  private mutating func readTuple() throws(CaptureReadingError) -> [Int] {
    var numbers: [Int] = []
    try expect("(")
    while !take(")") {
      skipSpace()
      let digits = take { (48...57).contains($0) }
      // Python 2 wrote a long integer as 192L.
      _ = take("L")
      guard let number = Int(digits) else {
        throw reader.malformed(
          expected: "a length from 0", found: digits.isEmpty ? next : String(digits.prefix(24)))
      }
      numbers.append(number)
      if !take(",") {
        try expect(")")
        break
      }
    }
    return numbers
  }

  private mutating func readText() throws(CaptureReadingError) -> String {
    skipSpace()
    guard let quote = peek(), quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\"") else {
      throw reader.malformed(expected: "a text in quotes", found: next)
    }
    try reader.skip(1)
    let text = take { $0 != quote && $0 != UInt8(ascii: "\\") }
    guard peek() == quote else {
      throw reader.malformed(expected: "the end of a text", found: next)
    }
    try reader.skip(1)
    return text
  }

  private mutating func expect(_ character: Unicode.Scalar) throws(CaptureReadingError) {
    guard take(character) else {
      throw reader.malformed(expected: "“\(character)”", found: next)
    }
  }

  /// Consumes white space and a character if that character comes next.
  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    skipSpace()
    guard peek() == UInt8(ascii: character), (try? reader.skip(1)) != nil else { return false }
    return true
  }

  private mutating func take(while condition: (UInt8) -> Bool) -> String {
    let run = reader.bytes[reader.offset...].prefix(while: condition)
    guard (try? reader.skip(run.count)) != nil else { return "" }
    return printable(run)
  }

  private mutating func skipSpace() {
    _ = take { $0 == 0x20 || (9...13).contains($0) }
  }

  private func peek() -> UInt8? { reader.isAtEnd ? nil : reader.bytes[reader.offset] }

  /// The next bytes, for error messages.
  private var next: String { printable(reader.bytes[reader.offset...].prefix(12)) }
}
