/// A JSON document or a part of one, whose keys keep the order in which they were written.
///
/// Unknown is `null`. Numbers, strings and Booleans are made from optionals, and `nil` becomes `null`;
/// so does a number that is not finite, since JSON cannot express it.
///
///     let document: JSONValue = [
///       "schema": "plumbline.check/1",
///       "width": .integer(640),
///       "sigmaMillimeters": .number(sigma),  // null when nil, NaN or infinite
///     ]
public struct JSONValue: Hashable, Sendable {
  package enum Content: Hashable, Sendable {
    case null
    case bool(Bool)
    /// The digits as they are written.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([Member])
  }

  package struct Member: Hashable, Sendable {
    package let key: String
    package let value: JSONValue
  }

  package let content: Content

  package init(_ content: Content) { self.content = content }

  /// The value that says "unknown".
  public static let null = JSONValue(.null)

  /// A truth value; `null` for `nil`.
  public static func bool(_ value: Bool?) -> JSONValue {
    value.map { JSONValue(.bool($0)) } ?? .null
  }

  /// A whole number; `null` for `nil`.
  public static func integer(_ value: Int?) -> JSONValue {
    value.map { JSONValue(.number($0.description)) } ?? .null
  }

  /// A number with the fewest digits that read back as the same `Double`; `null` unless finite.
  public static func number(_ value: Double?) -> JSONValue {
    guard let value, value.isFinite else { return .null }
    return JSONValue(.number(value.description))
  }

  /// A number with the fewest digits that read back as the same `Float`; `null` unless finite.
  public static func number(_ value: Float?) -> JSONValue {
    guard let value, value.isFinite else { return .null }
    return JSONValue(.number(value.description))
  }

  /// A string; `null` for `nil`.
  public static func string(_ value: String?) -> JSONValue {
    value.map { JSONValue(.string($0)) } ?? .null
  }

  /// An array; `null` for `nil`.
  public static func array(_ values: [JSONValue]?) -> JSONValue {
    values.map { JSONValue(.array($0)) } ?? .null
  }

  /// Numbers; `null` for `nil`, and for each one that is not finite.
  public static func numbers(_ values: [Double]?) -> JSONValue {
    .array(values?.map { .number($0) })
  }

  /// An object whose keys keep their order.
  ///
  /// - Precondition: No key occurs twice.
  public static func object(_ members: [(key: String, value: JSONValue)]) -> JSONValue {
    precondition(
      Set(members.map(\.key)).count == members.count, "a key of a JSON object occurs twice")
    return JSONValue(.object(members.map { Member(key: $0.key, value: $0.value) }))
  }

  /// The member of an object with a key; `nil` when this is no object or has no such key.
  public subscript(key: String) -> JSONValue? {
    guard case .object(let members) = content else { return nil }
    return members.first { $0.key == key }?.value
  }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// `null`.
  public init(nilLiteral: ()) { self = .null }
  /// A truth value.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// A whole number.
  public init(integerLiteral value: Int) { self = .integer(value) }
  /// A number.
  public init(floatLiteral value: Double) { self = .number(value) }
  /// A string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// An array.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  /// An object in the order of the literal; no key may occur twice.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(elements.map { (key: $0.0, value: $0.1) })
  }
}

extension JSONValue {
  /// Reads a text of UTF-8 bytes.
  ///
  /// The order of keys and the digits of numbers are kept. Nothing but RFC 8259 passes: no
  /// comments, no trailing commas, no NaN; a byte order mark at the start is skipped. O(*n*).
  ///
  /// - Parameters:
  ///   - bytes: The whole text; offsets in errors are indices of it.
  ///   - limits: What may be spent.
  ///   - strictness: What is done about repeated keys and wrong characters.
  /// - Throws: `.malformed` with the byte where it breaks, or `.limitExceeded`.
  public init(
    parsing bytes: ArraySlice<UInt8>, limits: JSONLimits = JSONLimits(),
    strictness: JSONReader.Strictness = .exact
  ) throws(JSONReadingError) {
    var reader = try JSONReader(bytes, limits: limits, strictness: strictness)
    self = try reader.readValue()
    try reader.expectEnd()
  }

  /// Reads a text of UTF-8 bytes exactly; see ``init(parsing:limits:strictness:)-(ArraySlice<UInt8>,_,_)``.
  ///
  /// - Throws: `.malformed` with the byte where it breaks, or `.limitExceeded`.
  public init(parsing bytes: [UInt8], limits: JSONLimits = JSONLimits())
    throws(JSONReadingError)
  {
    try self.init(parsing: bytes[...], limits: limits)
  }
}

extension JSONValue {
  /// The members of an object in their order; none when this is no object.
  public var members: [(key: String, value: JSONValue)] {
    guard case .object(let members) = content else { return [] }
    return members.map { ($0.key, $0.value) }
  }

  /// The elements of an array; `nil` when this is none.
  public var elements: [JSONValue]? {
    guard case .array(let elements) = content else { return nil }
    return elements
  }

  /// Whether this is `null`.
  package var isNull: Bool { content == .null }

  /// A truth value; `nil` when this is none.
  public var bool: Bool? {
    guard case .bool(let value) = content else { return nil }
    return value
  }

  /// The nearest `Double`; `nil` when this is no number or one too large for it.
  public var number: Double? {
    guard case .number(let digits) = content, let value = Double(digits), value.isFinite
    else { return nil }
    return value
  }

  /// A whole number, also when written as `3.0`; `nil` when this is none or too large.
  public var integer: Int? {
    guard case .number(let digits) = content else { return nil }
    return Int(digits) ?? number.flatMap { Int(exactly: $0) }
  }

  /// The text of a string; `nil` when this is none.
  public var string: String? {
    guard case .string(let text) = content else { return nil }
    return text
  }

  /// Finite numbers; `nil` when this is no array or holds anything else.
  public var numbers: [Double]? {
    guard case .array(let elements) = content else { return nil }
    let numbers = elements.compactMap(\.number)
    return numbers.count == elements.count ? numbers : nil
  }

  /// The kind of value, in a word, for messages.
  public var kind: String {
    switch content {
    case .null: "null"
    case .bool: "a truth value"
    case .number: "a number"
    case .string: "a string"
    case .array: "a list"
    case .object: "an object"
    }
  }
}
