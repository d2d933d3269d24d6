extension JSONValue {
  /// Reads a document of UTF-8 bytes.
  ///
  /// The order of keys and the digits of numbers are kept. Nothing but RFC 8259 passes: no
  /// comments, no trailing commas, no NaN, no key twice in one object, no lone surrogates; a byte
  /// order mark at the start is skipped. O(*n*) with the bytes.
  ///
  /// - Source: RFC 8259, The JavaScript Object Notation Data Interchange Format.
  /// - Throws: `.malformed` with the byte where it breaks, or `.limitExceeded`.
  public init(parsing bytes: [UInt8], limits: JSONLimits = JSONLimits())
    throws(JSONReadingError)
  {
    guard bytes.count <= limits.bytes else {
      throw JSONReadingError(
        .limitExceeded, expected: "at most \(limits.bytes) bytes", found: "\(bytes.count)")
    }
    var parser = JSONParser(bytes: bytes, limits: limits)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { parser.offset = 3 }
    self = try parser.value(depth: 0)
    parser.skipSpace()
    guard parser.offset == bytes.count else { throw parser.malformed("the end of the document") }
  }
}

/// A walk through the bytes of one document.
struct JSONParser {
  let bytes: [UInt8]
  let limits: JSONLimits
  var offset = 0
  private var values = 0

  init(bytes: [UInt8], limits: JSONLimits) {
    self.bytes = bytes
    self.limits = limits
  }

  /// The byte at hand; 0, which is no part of any document, at the end.
  var next: UInt8 { offset < bytes.count ? bytes[offset] : 0 }

  mutating func skipSpace() {
    while true {
      switch next {
      case 0x20, 0x09, 0x0A, 0x0D: offset += 1
      default: return
      }
    }
  }

  /// An error about the byte at hand.
  func malformed(_ expected: String) -> JSONReadingError {
    let found =
      switch next {
      case _ where offset >= bytes.count: "the end of the bytes"
      case 0x21...0x7E: "'\(Character(Unicode.Scalar(next)))'"
      default: "byte \(next)"
      }
    return JSONReadingError(.malformed, offset: offset, expected: expected, found: found)
  }

  mutating func value(depth: Int) throws(JSONReadingError) -> JSONValue {
    values += 1
    guard values <= limits.values else {
      throw JSONReadingError(
        .limitExceeded, offset: offset, expected: "at most \(limits.values) values", found: "more")
    }
    skipSpace()
    switch next {
    case UInt8(ascii: "{"): return try object(depth: depth + 1)
    case UInt8(ascii: "["): return try array(depth: depth + 1)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return try number()
    }
  }

  private mutating func word(
    _ word: StaticString, _ value: JSONValue
  ) throws(JSONReadingError) -> JSONValue {
    let text = "\(word)"
    guard bytes[offset...].starts(with: text.utf8) else { throw malformed(text) }
    offset += text.utf8.count
    return value
  }

  private func require(depth: Int) throws(JSONReadingError) {
    guard depth <= limits.depth else {
      throw JSONReadingError(
        .limitExceeded, offset: offset, expected: "at most \(limits.depth) levels", found: "more")
    }
  }

  /// Whether another element follows; passes the comma or the closing bracket.
  private mutating func passes(
    _ closing: Unicode.Scalar, isFirst: Bool
  ) throws(JSONReadingError) -> Bool {
    skipSpace()
    if next == UInt8(ascii: closing) {
      offset += 1
      return false
    }
    if isFirst { return true }
    guard next == UInt8(ascii: ",") else { throw malformed("',' or '\(closing)'") }
    offset += 1
    return true
  }

  private mutating func array(depth: Int) throws(JSONReadingError) -> JSONValue {
    try require(depth: depth)
    offset += 1
    var elements: [JSONValue] = []
    while try passes("]", isFirst: elements.isEmpty) {
      elements.append(try value(depth: depth))
    }
    return .array(elements)
  }

  private mutating func object(depth: Int) throws(JSONReadingError) -> JSONValue {
    try require(depth: depth)
    offset += 1
    var members: [JSONValue.Member] = []
    var keys: Set<String> = []
    while try passes("}", isFirst: members.isEmpty) {
      skipSpace()
      let start = offset
      let key = try string()
      guard keys.insert(key).inserted else {
        throw JSONReadingError(
          .malformed, offset: start, expected: "each key once", found: "a key twice")
      }
      skipSpace()
      guard next == UInt8(ascii: ":") else { throw malformed("':'") }
      offset += 1
      members.append(.init(key: key, value: try value(depth: depth)))
    }
    return JSONValue(.object(members))
  }

  private mutating func number() throws(JSONReadingError) -> JSONValue {
    let start = offset
    func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    if next == UInt8(ascii: "-") { offset += 1 }
    guard isDigit(next) else { throw malformed(offset == start ? "a value" : "a digit") }
    if next == UInt8(ascii: "0") { offset += 1 } else { while isDigit(next) { offset += 1 } }
    if next == UInt8(ascii: ".") {
      offset += 1
      guard isDigit(next) else { throw malformed("a digit") }
      while isDigit(next) { offset += 1 }
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      offset += 1
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { offset += 1 }
      guard isDigit(next) else { throw malformed("a digit") }
      while isDigit(next) { offset += 1 }
    }
    return JSONValue(.number(String(decoding: bytes[start..<offset], as: UTF8.self)))
  }
}
