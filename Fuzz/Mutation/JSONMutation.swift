@testable import PlumblineIO
extension Mutation {
  /// A JSON text with one value, key or order changed that is still JSON (but for a key that may
  /// occur twice, which the grammar allows); `nil` where the bytes are no JSON.
  public mutating func json(_ bytes: [UInt8]) -> [UInt8]? {
    guard let value = try? JSONValue(parsing: bytes) else { return nil }
    var root = JSONNode(value)
    var places: [[Int]] = []
    root.collectPlaces(into: &places, below: [])
    let place = places[below(places.count)]
    let other = places[below(places.count)]
    let replacement = root[other]
    root.change(at: place[...]) { node in node = changed(node, other: replacement) }
    return root.bytes(spaced: once(in: 8))
  }

  private mutating func changed(_ node: JSONNode, other: JSONNode) -> JSONNode {
    switch (node, below(6)) {
    case (_, 0): return other
    case (_, 1): return awkwardValue()
    case (_, 2) where once(in: 4):
      let depth = 1 << below(7)
      return (0..<depth).reduce(node) { inner, _ in .array([inner]) }
    case (.object(var members), let choice):
      if choice < 4 { changeOrder(of: &members) } else { changeKey(of: &members) }
      return .object(members)
    case (.array(var elements), _):
      changeOrder(of: &elements)
      return .array(elements)
    case (.string(let text), let choice): return .string(changedString(text, choice))
    case (.literal(let text), _):
      return once(in: 3) ? .literal(awkwardDigits()) : .literal(changedDigits(text))
    }
  }

  private mutating func changeKey(of members: inout [JSONNode.Member]) {
    guard let index = index(of: members) else { return }
    members[index].key = once(in: 2) ? changedString(members[index].key, 5) : ""
  }

  /// A string is what it was with a change; text that is Base64 is changed in the bytes it stands for.
  private mutating func changedString(_ text: String, _ choice: Int) -> String {
    if choice < 5, text.utf8.count >= 8, let bytes = Base64Text.bytes(of: text) {
      let isField = once(in: 2)
      return Base64Text.text(
        of: isField ? withAwkwardField(bytes, bigEndian: false) : changedBlindly(bytes))
    }
    return String(decoding: changedBlindly(Array(text.utf8)), as: UTF8.self)
  }

  private mutating func awkwardValue() -> JSONNode {
    switch below(6) {
    case 0: return .array([])
    case 1: return .object([])
    case 2: return .literal(["null", "true", "false"][below(3)])
    case 3: return .string(["", "NaN", "-1", "\u{0}", "\u{10FFFF}", "e\u{301}"][below(6)])
    default: return .literal(awkwardDigits())
    }
  }

  private mutating func awkwardDigits() -> String {
    let digits = [
      "0", "-0", "-1", "1e308", "-1e308", "1e309", "1e-320", "1E400", "0.1", "2147483648",
      "4294967296",
      "9007199254740993", "9223372036854775808", "18446744073709551616", "1e999999999",
      "0.0000000000000000000000000000001", String(repeating: "9", count: 400),
    ]
    return digits[below(digits.count)]
  }

  private mutating func changedDigits(_ text: String) -> String {
    guard let value = Double(text) else { return awkwardDigits() }
    let factors = [-1, 0, 0.5, 1 + 0x1p-52, 2, 10, 1e6, 1e-6, 1e150]
    let number = value * factors[below(factors.count)] + Double(below(3) - 1)
    return number.isFinite ? number.description : "1e308"
  }
}

/// JSON as a tree in which a key may occur twice and a number is whatever digits stand there.
indirect enum JSONNode {
  struct Member {
    var key: String
    var value: JSONNode
  }

  case literal(String)
  case string(String)
  case array([JSONNode])
  case object([Member])

  init(_ value: JSONValue) {
    switch value.content {
    case .null: self = .literal("null")
    case .bool(let flag): self = .literal(flag ? "true" : "false")
    case .number(let digits): self = .literal(digits)
    case .string(let text): self = .string(text)
    case .array(let elements): self = .array(elements.map(JSONNode.init))
    case .object(let members):
      self = .object(members.map { Member(key: $0.key, value: JSONNode($0.value)) })
    }
  }

  var children: [JSONNode] {
    switch self {
    case .literal, .string: []
    case .array(let elements): elements
    case .object(let members): members.map(\.value)
    }
  }

  /// The places of all values, each the indices that lead there from the root; 4,096 at most.
  func collectPlaces(into places: inout [[Int]], below place: [Int]) {
    guard places.count < 4096 else { return }
    places.append(place)
    for (index, child) in children.enumerated() {
      child.collectPlaces(into: &places, below: place + [index])
    }
  }

  subscript(place: [Int]) -> JSONNode {
    place.reduce(self) { node, index in node.children[index] }
  }

  mutating func change(at place: ArraySlice<Int>, _ body: (inout JSONNode) -> Void) {
    guard let index = place.first else { return body(&self) }
    switch self {
    case .literal, .string: break
    case .array(var elements):
      elements[index].change(at: place.dropFirst(), body)
      self = .array(elements)
    case .object(var members):
      members[index].value.change(at: place.dropFirst(), body)
      self = .object(members)
    }
  }

  func bytes(spaced: Bool) -> [UInt8] {
    let space = spaced ? " \n" : ""
    func quoted(_ text: String) -> String {
      String(decoding: JSONWriter(layout: .compact).bytes(.string(text)), as: UTF8.self)
    }
    func text(_ node: JSONNode) -> String {
      switch node {
      case .literal(let text): text
      case .string(let content): quoted(content)
      case .array(let elements):
        "[" + space + elements.map(text).joined(separator: space + ",") + "]" + space
      case .object(let members):
        "{" + members.map { quoted($0.key) + space + ":" + text($0.value) }.joined(separator: ",")
          + space + "}"
      }
    }
    return Array(text(self).utf8)
  }
}

/// Base64 with the alphabet of RFC 4648 §4.
enum Base64Text {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// The bytes that a text stands for; `nil` where it is no Base64.
  static func bytes(of text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    var bits: UInt32 = 0
    var count = 0
    guard text.utf8.count % 4 == 0 else { return nil }
    for character in text.utf8.prefix(while: { $0 != UInt8(ascii: "=") }) {
      guard let value = alphabet.firstIndex(of: character) else { return nil }
      bits = bits << 6 | UInt32(value)
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    return bytes
  }

  /// The text that stands for bytes.
  static func text(of bytes: [UInt8]) -> String {
    var characters: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = Array(bytes[start..<min(start + 3, bytes.count)])
      let bits = (0..<3).reduce(0) { $0 << 8 | Int($1 < group.count ? group[$1] : 0) }
      for index in 0..<4 {
        let isPadding = index > group.count
        characters.append(
          isPadding ? UInt8(ascii: "=") : alphabet[bits >> (18 - 6 * index) & 63])
      }
    }
    return String(decoding: characters, as: UTF8.self)
  }
}
