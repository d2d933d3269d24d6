/// One value of a JSON text, with the place where it stands.
struct JSONNode: Hashable, Sendable {
  /// What a value is.
  enum Content: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONNode])
    /// Members by key; of a key that is repeated, the first one counts.
    case object([String: JSONNode])
  }

  let content: Content
  /// The byte offset of its first character in the file.
  let offset: Int

  /// The kind of value, for messages.
  var kind: String {
    switch content {
    case .null: "null"
    case .bool: "a truth value"
    case .number(let value): "the number \(value)"
    case .string(let text): "the text “\(printable(text: text.prefix(40)))”"
    case .array(let elements): "an array of \(elements.count)"
    case .object: "an object"
    }
  }

  /// The member of an object; `nil` when this is no object or has no such member.
  subscript(key: String) -> JSONNode? {
    guard case .object(let members) = content else { return nil }
    return members[key]
  }

  /// The elements of an array; `nil` when this is none.
  var elements: [JSONNode]? {
    guard case .array(let elements) = content else { return nil }
    return elements
  }

  /// The text; `nil` when this is none.
  var text: String? {
    guard case .string(let text) = content else { return nil }
    return text
  }

  /// The truth value; `nil` when this is none. Some writers use 0 and 1.
  var flag: Bool? {
    switch content {
    case .bool(let value): value
    case .number(0): false
    case .number(1): true
    default: nil
    }
  }

  /// The finite number, also when it is written as text; `nil` otherwise.
  var number: Double? {
    switch content {
    case .number(let value): value
    case .string(let text): Double(text).flatMap { $0.isFinite ? $0 : nil }
    default: nil
    }
  }

  /// The whole number, also when it is written as text; `nil` otherwise.
  var integer: Int? { number.flatMap { Int(exactly: $0) } }

  /// The numbers of an array, or of a tuple as Swift prints one: `(1.0, 0.0)`; `nil` when any is
  /// none.
  var numbers: [Double]? {
    switch content {
    case .array(let elements):
      let numbers = elements.compactMap(\.number)
      return numbers.count == elements.count ? numbers : nil
    case .string(let text):
      guard let start = text.lastIndex(of: "("), let end = text.lastIndex(of: ")"), start < end
      else { return nil }
      let parts = text[text.index(after: start)..<end].split(
        separator: ",", omittingEmptySubsequences: false)
      let numbers = parts.compactMap { part in
        let trimmed = part.drop { $0 == " " }
        return Double(trimmed).flatMap { $0.isFinite ? $0 : nil }
      }
      return numbers.count == parts.count ? numbers : nil
    default: return nil
    }
  }
}
