/// A cursor over a JSON text that checks limits on nesting, size and characters while it reads.
///
/// Reading a hostile text stops at its first fault, before much memory is used. Long rows of
/// numbers are read without building a tree. ``JSONValue/init(parsing:limits:strictness:)`` uses
/// this reader.
///
/// - Source: RFC 8259, The JavaScript Object Notation Data Interchange Format. Decision 0015 says
///   why Foundation is not used.
public struct JSONReader: Sendable {
  /// How the reader treats texts that RFC 8259 advises against or leaves open.
  public enum Strictness: Sendable {
    /// A repeated key, invalid UTF-8 and an unpaired surrogate are errors.
    case exact
    /// The first of two equal keys counts; invalid UTF-8 and unpaired surrogates become U+FFFD.
    case lenient
  }

  package let bytes: [UInt8]
  package let limits: JSONLimits
  package let strictness: Strictness
  package private(set) var offset: Int
  private var valueCount = 0
  private var depth = 0
  /// Whether an array or object was opened and none of its elements was read yet.
  private var isAtStart = false
  /// The offset of the first byte in the file that holds the text.
  private let start: Int

  /// Starts at the first character of a text; a byte order mark is skipped.
  ///
  /// Offsets in errors are indices of `text`.
  /// - Throws: `.limitExceeded` for more bytes than ``JSONLimits/bytes``.
  package init(
    _ text: ArraySlice<UInt8>, limits: JSONLimits = JSONLimits(), strictness: Strictness = .exact
  ) throws(JSONReadingError) {
    guard text.count <= limits.bytes else {
      throw JSONReadingError(
        .limitExceeded, expected: "at most \(limits.bytes) bytes of JSON", found: "\(text.count)")
    }
    // A separate array avoids the slice's index arithmetic on each byte.
    bytes = Array(text)
    start = text.startIndex
    self.limits = limits
    self.strictness = strictness
    offset = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  /// Reads the next value with all its elements; O(*n*) in its bytes.
  ///
  /// - Throws: `.malformed` with the position, `.limitExceeded`.
  package mutating func readValue() throws(JSONReadingError) -> JSONValue {
    valueCount += 1
    guard valueCount <= limits.values else { throw limit("at most \(limits.values) values") }
    switch try peek("a value") {
    case UInt8(ascii: "{"): return try readObject()
    case UInt8(ascii: "["): return try readArray()
    case UInt8(ascii: "\""): return JSONValue(.string(try readString()))
    case UInt8(ascii: "t"): return try word("true", JSONValue(.bool(true)))
    case UInt8(ascii: "f"): return try word("false", JSONValue(.bool(false)))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return JSONValue(.number(try readDigits()))
    }
  }

  private mutating func readObject() throws(JSONReadingError) -> JSONValue {
    var members: [JSONValue.Member] = []
    var keys: Set<String> = []
    try openObject()
    while true {
      let separator = offset
      guard let key = try nextKey() else { return JSONValue(.object(members)) }
      let isNew = keys.insert(key).inserted
      guard isNew || strictness == .lenient else {
        let place = bytes[separator...].firstIndex(of: UInt8(ascii: "\"")) ?? separator
        throw malformed("each key once", at: place)
      }
      do throws(JSONReadingError) {
        let value = try readValue()
        if isNew { members.append(JSONValue.Member(key: key, value: value)) }
      } catch {
        throw error.inside(Self.printable(key))
      }
    }
  }

  private mutating func readArray() throws(JSONReadingError) -> JSONValue {
    var elements: [JSONValue] = []
    try openArray()
    while try nextElement() {
      do throws(JSONReadingError) {
        elements.append(try readValue())
      } catch {
        throw error.inside("\(elements.count)")
      }
    }
    return JSONValue(.array(elements))
  }

  /// Moves past the bracket that opens an object.
  ///
  /// - Throws: `.malformed` for anything else, `.limitExceeded` for nesting over
  ///   ``JSONLimits/depth``.
  package mutating func openObject() throws(JSONReadingError) { try open("{") }

  mutating func openArray() throws(JSONReadingError) { try open("[") }

  private mutating func open(_ bracket: Unicode.Scalar) throws(JSONReadingError) {
    guard try peek("“\(bracket)”") == UInt8(ascii: bracket) else {
      throw malformed("“\(bracket)”")
    }
    guard depth < limits.depth else {
      throw limit("at most \(limits.depth) levels of arrays and objects")
    }
    depth += 1
    offset += 1
    isAtStart = true
  }

  /// The next key of the open object; `nil` at the end of the object, which is then passed.
  ///
  /// Its value must be read before the next key.
  /// - Throws: `.malformed` with the position, `.limitExceeded` for a key that is too long.
  package mutating func nextKey() throws(JSONReadingError) -> String? {
    guard try next(UInt8(ascii: "}")) else { return nil }
    guard try peek("a key") == UInt8(ascii: "\"") else { throw malformed("a key in quotes") }
    let key = try readString()
    guard try peek("“:”") == UInt8(ascii: ":") else { throw malformed("“:” after a key") }
    offset += 1
    return key
  }

  /// Whether another element of the open array follows; passes the end of the array otherwise.
  mutating func nextElement() throws(JSONReadingError) -> Bool { try next(UInt8(ascii: "]")) }

  /// Checks that only white space follows.
  ///
  /// - Throws: `.malformed` for anything else.
  package mutating func expectEnd() throws(JSONReadingError) {
    skipSpace()
    guard offset == bytes.count else { throw malformed("the end of the text") }
  }

  private mutating func next(_ closing: UInt8) throws(JSONReadingError) -> Bool {
    let isFirst = isAtStart
    isAtStart = false
    let character = try peek("“,” or an end")
    if character == closing {
      offset += 1
      depth -= 1
      return false
    }
    if !isFirst {
      guard character == UInt8(ascii: ",") else { throw malformed("“,” between two values") }
      offset += 1
      _ = try peek("a value after “,”")
    }
    return true
  }

  /// The next character that is not white space, without moving past it.
  private mutating func peek(_ expected: @autoclosure () -> String) throws(JSONReadingError)
    -> UInt8
  {
    skipSpace()
    guard offset < bytes.count else { throw malformed(expected()) }
    return bytes[offset]
  }

  private mutating func skipSpace() {
    while offset < bytes.count {
      let byte = bytes[offset]
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
      offset += 1
    }
  }

  private mutating func word(
    _ word: String, _ value: JSONValue
  ) throws(JSONReadingError) -> JSONValue {
    guard bytes[offset...].starts(with: word.utf8) else { throw malformed("the word \(word)") }
    offset += word.utf8.count
    return value
  }

  /// Moves to the position at which a scalar ends.
  package mutating func advance(to place: Int) { offset = place }

  /// An error at this position, or at `place`; it quotes the text there.
  package func malformed(_ expected: String, at place: Int? = nil) -> JSONReadingError {
    let place = place ?? offset
    let found =
      place < bytes.count
      ? "“\(Self.printable(String(decoding: bytes[place...].prefix(12), as: UTF8.self)))”"
      : "the end of the text"
    return JSONReadingError(.malformed, offset: start + place, expected: expected, found: found)
  }

  /// An error at this position about a limit.
  package func limit(_ expected: String) -> JSONReadingError {
    JSONReadingError(.limitExceeded, offset: start + offset, expected: expected, found: "more")
  }

  /// The start of a text from the file, escaped for a terminal.
  private static func printable(_ text: String) -> String {
    JSONWriter.printable(String(text.prefix(40)))
  }
}
