/// Typed access to the members of a JSON object, with the path in each failure.
///
/// An absent member and a `null` member mean the same: unknown, returned as `nil`. A member of
/// another type is `.malformed`; a required member that is unknown is `.missing`.
package struct JSONFields: Sendable {
  private let value: JSONValue
  private let path: [String]

  /// Wraps a JSON object.
  ///
  /// - Throws: `.malformed` for anything else.
  package init(_ value: JSONValue) throws(JSONReadingError) {
    try self.init(value, path: [])
  }

  private init(_ value: JSONValue, path: [String]) throws(JSONReadingError) {
    self.value = value
    self.path = path
    guard case .object = value.content else { throw failure(expected: "an object") }
  }

  /// The object at a key.
  package func fields(_ key: String) throws(JSONReadingError) -> JSONFields? {
    guard let member = known(key) else { return nil }
    return try JSONFields(member, path: path + [key])
  }

  /// The array of objects at a key.
  package func list(_ key: String) throws(JSONReadingError) -> [JSONFields]? {
    guard let member = known(key) else { return nil }
    guard let elements = member.elements else { throw failure(at: key, expected: "an array") }
    var list: [JSONFields] = []
    for (index, element) in elements.enumerated() {
      list.append(try JSONFields(element, path: path + [key, "\(index)"]))
    }
    return list
  }

  /// The finite number at a key.
  package func number(_ key: String) throws(JSONReadingError) -> Double? {
    guard let member = known(key) else { return nil }
    guard let number = member.number else { throw failure(at: key, expected: "a finite number") }
    return number
  }

  /// The integer at a key.
  package func integer(_ key: String) throws(JSONReadingError) -> Int? {
    guard let member = known(key) else { return nil }
    guard let number = member.integer else { throw failure(at: key, expected: "a whole number") }
    return number
  }

  /// The array of finite numbers at a key, whose length is bounded.
  package func numbers(
    _ key: String, count: ClosedRange<Int>
  ) throws(JSONReadingError) -> [Double]? {
    guard let member = known(key) else { return nil }
    guard let elements = member.elements else {
      throw failure(at: key, expected: "an array of numbers")
    }
    guard count.contains(elements.count) else {
      let range =
        count.lowerBound == count.upperBound
        ? "\(count.lowerBound)" : "\(count.lowerBound) to \(count.upperBound)"
      throw failure(at: key, expected: "\(range) numbers", found: "\(elements.count)")
    }
    guard let numbers = member.numbers else { throw failure(at: key, expected: "finite numbers") }
    return numbers
  }

  /// The string at a key.
  package func text(_ key: String) throws(JSONReadingError) -> String? {
    guard let member = known(key) else { return nil }
    guard let text = member.string else { throw failure(at: key, expected: "a string") }
    return text
  }

  /// The array of strings at a key.
  package func texts(_ key: String) throws(JSONReadingError) -> [String]? {
    guard let member = known(key) else { return nil }
    let texts = member.elements?.compactMap(\.string)
    guard let texts, texts.count == member.elements?.count else {
      throw failure(at: key, expected: "an array of strings")
    }
    return texts
  }

  /// The value of an enumeration at a key.
  package func word<Word: RawRepresentable & CaseIterable>(
    _ key: String
  ) throws(JSONReadingError) -> Word? where Word.RawValue == String {
    guard let text = try text(key) else { return nil }
    guard let word = Word(rawValue: text) else {
      let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
      throw failure(at: key, expected: "one of \(words)", found: "another word")
    }
    return word
  }

  /// The required value of an enumeration at a key.
  package func requiredWord<Word: RawRepresentable & CaseIterable>(
    _ key: String
  ) throws(JSONReadingError) -> Word where Word.RawValue == String {
    guard let word: Word = try word(key) else { throw missing(key) }
    return word
  }

  /// The Boolean at a key.
  package func flag(_ key: String) throws(JSONReadingError) -> Bool? {
    guard let member = known(key) else { return nil }
    guard let flag = member.bool else { throw failure(at: key, expected: "true or false") }
    return flag
  }

  /// Reads a required member: `try fields.required("fx", fields.number)`.
  package func required<Value>(
    _ key: String, _ read: (String) throws(JSONReadingError) -> Value?
  ) throws(JSONReadingError) -> Value {
    guard let value = try read(key) else { throw missing(key) }
    return value
  }

  /// An error about this object or one of its members.
  package func failure(
    at key: String? = nil, expected: String, found: String = "something else"
  ) -> JSONReadingError {
    JSONReadingError(
      .malformed, path: path + (key.map { [$0] } ?? []), expected: expected, found: found)
  }

  private func missing(_ key: String) -> JSONReadingError {
    JSONReadingError(.missing, path: path + [key], expected: "a value", found: "null or nothing")
  }

  private func known(_ key: String) -> JSONValue? {
    guard let member = value[key], !member.isNull else { return nil }
    return member
  }
}
