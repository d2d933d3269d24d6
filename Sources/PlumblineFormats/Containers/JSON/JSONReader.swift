/// A cursor over a JSON text that refuses nesting, sizes and characters as it meets them.
///
/// Foundation's `JSONDecoder` reads a printed depth map of 640 × 480 in 0.23 s, but indexes a whole
/// text before anything can refuse it, gives no byte offsets, and has no limits of its own but
/// nesting. Here a hostile text ends at its first fault, and depth maps are read as they come.
///
/// - Source: RFC 8259.
struct JSONReader {
  let bytes: [UInt8]
  let limits: ReadingLimits
  /// The enclosing structures for errors, outermost first.
  var path: [String]
  private(set) var offset: Int
  private let end: Int
  private var valueCount = 0

  /// Starts at the first character of a text.
  ///
  /// - Throws: `.limitExceeded` for more bytes than ``ReadingLimits/jsonBytes``.
  init(
    _ text: ArraySlice<UInt8>, limits: ReadingLimits, path: [String] = []
  ) throws(CaptureReadingError) {
    try limits.require(text.count, atMost: limits.jsonBytes, "bytes of JSON", path: path)
    // A whole array keeps the indices of the file and spares the slice's arithmetic.
    bytes = Array(text)
    start = text.startIndex
    end = bytes.count
    offset = 0
    self.limits = limits
    self.path = path
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
  }

  /// The file offset of the first byte.
  private let start: Int

  /// Reads a whole text as one value.
  static func node(
    _ text: ArraySlice<UInt8>, limits: ReadingLimits, path: [String] = []
  ) throws(CaptureReadingError) -> JSONNode {
    var reader = try JSONReader(text, limits: limits, path: path)
    let node = try reader.readNode()
    try reader.expectEnd()
    return node
  }

  /// Reads the next value with all that it holds.
  mutating func readNode(depth: Int = 0) throws(CaptureReadingError) -> JSONNode {
    guard depth < limits.jsonDepth else {
      throw limit("at most \(limits.jsonDepth) levels of arrays and objects", "more")
    }
    valueCount += 1
    guard valueCount <= limits.jsonValues else {
      throw limit("at most \(limits.jsonValues) values", "more")
    }
    let first = try peek("a value")
    let place = start + offset
    func node(_ content: JSONNode.Content) -> JSONNode { JSONNode(content: content, offset: place) }
    switch first {
    case UInt8(ascii: "{"):
      var members: [String: JSONNode] = [:]
      try open("{")
      var isFirst = true
      while let key = try nextKey(&isFirst) {
        path.append(printable(text: key.prefix(40)))
        let member = try readNode(depth: depth + 1)
        path.removeLast()
        if members[key] == nil { members[key] = member }
      }
      return node(.object(members))
    case UInt8(ascii: "["):
      var elements: [JSONNode] = []
      try open("[")
      var isFirst = true
      while try nextElement(&isFirst) {
        path.append("\(elements.count)")
        elements.append(try readNode(depth: depth + 1))
        path.removeLast()
      }
      return node(.array(elements))
    case UInt8(ascii: "\""): return node(.string(try readString()))
    case UInt8(ascii: "t"): return node(.bool(try literal("true", true)))
    case UInt8(ascii: "f"): return node(.bool(try literal("false", false)))
    case UInt8(ascii: "n"): return node(try literal("null", .null))
    default: return node(.number(try readNumber()))
    }
  }

  /// Moves past the bracket that opens an array or object.
  mutating func open(_ bracket: Unicode.Scalar) throws(CaptureReadingError) {
    guard try peek("“\(bracket)”") == UInt8(ascii: bracket) else {
      throw malformed("“\(bracket)”")
    }
    offset += 1
  }

  /// The next key of the object that was opened, or `nil` after its end.
  mutating func nextKey(_ isFirst: inout Bool) throws(CaptureReadingError) -> String? {
    guard try next(UInt8(ascii: "}"), &isFirst) else { return nil }
    guard try peek("a key") == UInt8(ascii: "\"") else { throw malformed("a key in quotes") }
    let key = try readString()
    guard try peek("“:”") == UInt8(ascii: ":") else { throw malformed("“:” after a key") }
    offset += 1
    return key
  }

  /// Whether another element of the array that was opened follows; moves past its end otherwise.
  mutating func nextElement(_ isFirst: inout Bool) throws(CaptureReadingError) -> Bool {
    try next(UInt8(ascii: "]"), &isFirst)
  }

  /// Requires that nothing but space follows.
  mutating func expectEnd() throws(CaptureReadingError) {
    skipSpace()
    guard offset == end else { throw malformed("the end of the text") }
  }

  private mutating func next(
    _ closing: UInt8, _ isFirst: inout Bool
  ) throws(CaptureReadingError) -> Bool {
    let character = try peek("“,” or an end")
    if character == closing {
      offset += 1
      return false
    }
    if !isFirst {
      guard character == UInt8(ascii: ",") else { throw malformed("“,” between two values") }
      offset += 1
      _ = try peek("a value after “,”")
    }
    isFirst = false
    return true
  }

  /// The next character that is no space, left in place.
  private mutating func peek(_ expected: String) throws(CaptureReadingError) -> UInt8 {
    skipSpace()
    guard offset < end else { throw malformed(expected) }
    return bytes[offset]
  }

  private mutating func skipSpace() {
    while offset < end {
      let byte = bytes[offset]
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
      offset += 1
    }
  }

  private mutating func literal<Value>(
    _ word: StaticString, _ value: Value
  ) throws(CaptureReadingError) -> Value {
    let count = word.utf8CodeUnitCount
    let matches = word.withUTF8Buffer { word in
      offset + count <= end && bytes[offset..<offset + count].elementsEqual(word)
    }
    guard matches else { throw malformed("the word \(word)") }
    offset += count
    return value
  }

  /// Moves the cursor; for the readers of numbers and strings in other files.
  mutating func advance(to newOffset: Int) { offset = min(newOffset, end) }

  /// An error of this place, which says what stands there.
  func malformed(_ expected: String, at place: Int? = nil) -> CaptureReadingError {
    let place = place ?? offset
    let found = place < end ? "“\(printable(bytes[place...].prefix(12)))”" : "the end of the text"
    return CaptureReadingError(
      .malformed, path: path, offset: start + place, expected: expected, found: found)
  }

  /// An error of this place about what may be spent.
  func limit(_ expected: String, _ found: String) -> CaptureReadingError {
    CaptureReadingError(
      .limitExceeded, path: path, offset: start + offset, expected: expected, found: found)
  }
}
