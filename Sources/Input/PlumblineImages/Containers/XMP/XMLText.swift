import PlumblineIO

/// The tags of an XML document in UTF-8 with their positions, so that parts of it can be replaced
/// while every other byte stays unchanged.
///
/// The document must have passed the platform's parser; for any other, it still never reads past
/// the end.
struct XMLText {
  /// One attribute, excluding namespace declarations.
  struct Attribute {
    var name: XMPName
    /// The prefix as written; empty for none.
    var prefix: String
    /// From the white space before it to its closing quote.
    var range: Range<Int>
    /// The text between the quotes.
    var value: Range<Int>
  }

  /// One element.
  struct Element {
    var name: XMPName
    /// The prefix as written; empty for none.
    var prefix: String
    /// The start tag, from `<` to `>`.
    var start: Range<Int>
    /// The end tag; for a self-closing element, empty and after the start tag.
    var end: Range<Int>
    var attributes: [Attribute] = []
    var parent: Int?
    var children: [Int] = []

    /// The content between its tags.
    var content: Range<Int> { start.upperBound..<end.lowerBound }
    /// The whole element.
    var range: Range<Int> { start.lowerBound..<end.upperBound }
    var closesItself: Bool { end.isEmpty }
  }

  let bytes: [UInt8]
  /// All elements in the order of their start tags.
  private(set) var elements: [Element] = []

  private var position = 0
  private var open: [(element: Int, namespaces: [String: String])] = []
  private let limits: ReadingLimits

  /// Finds the tags.
  ///
  /// - Throws: `.malformed` for tags that do not nest, an end inside a tag or an undeclared prefix;
  ///   `.unsupported` for a document type; `.limitExceeded`. O(*n*).
  init(_ bytes: [UInt8], limits: ReadingLimits) throws(CaptureReadingError) {
    self.bytes = bytes
    self.limits = limits
    // After a NUL there is only padding, which the parser dropped too.
    let end = bytes.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0
    while let start = bytes.firstIndex(of: UInt8(ascii: "<"), from: position, before: end) {
      position = start
      try readMarkup()
    }
    guard open.isEmpty else { throw malformed("an end tag", "the end of the packet") }
  }

  /// The unchanged text of a range.
  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  private mutating func readMarkup() throws(CaptureReadingError) {
    if starts(with: "<?") { return try skip(past: "?>") }
    if starts(with: "<!--") { return try skip(past: "-->") }
    if starts(with: "<![CDATA[") { return try skip(past: "]]>") }
    if starts(with: "<!") {
      throw CaptureReadingError(
        .unsupported, path: ["XMP"], expected: "no document type declaration", found: "a DOCTYPE")
    }
    if starts(with: "</") { return try closeElement() }
    try openElement()
  }

  private mutating func closeElement() throws(CaptureReadingError) {
    let start = position
    position += 2
    let name = try readName()
    skipSpace()
    guard position < bytes.count, bytes[position] == UInt8(ascii: ">"),
      let (element, _) = open.popLast()
    else { throw malformed("an end tag that closes an element", "</\(printable(text: name))") }
    position += 1
    elements[element].end = start..<position
  }

  private mutating func openElement() throws(CaptureReadingError) {
    let start = position
    position += 1
    let rawName = try readName()
    var namespaces = open.last?.namespaces ?? ["xml": "http://www.w3.org/XML/1998/namespace"]
    var raw: [(name: String, range: Range<Int>, value: Range<Int>)] = []
    while true {
      let spaceStart = position
      skipSpace()
      guard position < bytes.count else { throw malformed("the end of a tag", "the end") }
      if bytes[position] == UInt8(ascii: ">") || bytes[position] == UInt8(ascii: "/") { break }
      let name = try readName()
      let value = try readValue()
      if name == "xmlns" || name.hasPrefix("xmlns:") {
        namespaces[name == "xmlns" ? "" : String(name.dropFirst(6))] = Self.unescaped(text(value))
      } else {
        raw.append((name, spaceStart..<position, value))
      }
    }
    let closesItself = bytes[position] == UInt8(ascii: "/")
    if closesItself { position += 1 }
    guard position < bytes.count, bytes[position] == UInt8(ascii: ">") else {
      throw malformed("the end of a tag", "something else")
    }
    position += 1
    let (name, prefix) = try resolved(rawName, namespaces, isAttribute: false)
    var element = Element(
      name: name, prefix: prefix, start: start..<position, end: position..<position)
    for attribute in raw {
      let (name, prefix) = try resolved(attribute.name, namespaces, isAttribute: true)
      element.attributes.append(
        Attribute(name: name, prefix: prefix, range: attribute.range, value: attribute.value))
    }
    try limits.require(
      elements.count + raw.count, atMost: limits.xmlNodes, "elements and attributes", path: ["XMP"])
    try limits.require(open.count + 1, atMost: limits.xmlDepth, "nested elements", path: ["XMP"])
    element.parent = open.last?.element
    if let parent = element.parent { elements[parent].children.append(elements.count) }
    if !closesItself { open.append((elements.count, namespaces)) }
    elements.append(element)
  }

  /// The range of the value after a name: `= "…"` or `= '…'`.
  private mutating func readValue() throws(CaptureReadingError) -> Range<Int> {
    skipSpace()
    guard position < bytes.count, bytes[position] == UInt8(ascii: "=") else {
      throw malformed("= behind an attribute's name", "something else")
    }
    position += 1
    skipSpace()
    guard position < bytes.count, let quote = Optional(bytes[position]),
      quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
      let end = bytes.firstIndex(of: quote, from: position + 1, before: bytes.count)
    else { throw malformed("a quoted value", "none") }
    defer { position = end + 1 }
    return position + 1..<end
  }

  private mutating func readName() throws(CaptureReadingError) -> String {
    let start = position
    let ends = Array(" \t\r\n=/><\"'".utf8)
    while position < bytes.count, !ends.contains(bytes[position]) { position += 1 }
    guard position > start else { throw malformed("a name", "none") }
    return text(start..<position)
  }

  private mutating func skipSpace() {
    while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) {
      position += 1
    }
  }

  private func starts(with text: String) -> Bool { bytes[position...].starts(with: text.utf8) }

  private mutating func skip(past end: String) throws(CaptureReadingError) {
    while position < bytes.count {
      if starts(with: end) {
        position += end.utf8.count
        return
      }
      position += 1
    }
    throw malformed(end, "the end of the packet")
  }

  private func resolved(
    _ name: String, _ namespaces: [String: String], isAttribute: Bool
  ) throws(CaptureReadingError) -> (XMPName, prefix: String) {
    guard let colon = name.firstIndex(of: ":") else {
      return (XMPName(isAttribute ? "" : namespaces[""] ?? "", name), "")
    }
    let prefix = String(name[..<colon])
    guard let namespace = namespaces[prefix] else {
      throw malformed("a declared prefix", printable(text: name.prefix(40)))
    }
    return (XMPName(namespace, String(name[name.index(after: colon)...])), prefix)
  }

  private func malformed(_ expected: String, _ found: String) -> CaptureReadingError {
    CaptureReadingError(
      .malformed, path: ["XMP"], offset: position, expected: expected, found: found)
  }

  /// Text with the five named entities resolved; other references stay unchanged.
  static func unescaped(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
    let names = ["&lt;": "<", "&gt;": ">", "&quot;": "\"", "&apos;": "'", "&amp;": "&"]
    var result = ""
    var rest = text[...]
    while let ampersand = rest.firstIndex(of: "&") {
      result += rest[..<ampersand]
      rest = rest[ampersand...]
      let match = names.first { rest.hasPrefix($0.key) }
      result += match?.value ?? "&"
      rest = rest.dropFirst(match?.key.count ?? 1)
    }
    return result + rest
  }
}
