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
  public var isNull: Bool { content == .null }

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
