import Plumbline

/// The settings of one call: an object of JSON, of which each member must be known and is read once.
///
/// Names and values are those of the long options of the command. Read every setting that there is, given or
/// not, then call ``finish()``, which refuses the names that were not asked for.
struct Settings {
  private let members: [(key: String, value: JSONValue)]
  private var known: [String] = []

  /// The most bytes of the text of settings; each of a thousand measurements fits.
  private static let maximumBytes = 1 << 20

  /// Takes the text of a call; `nil` is an empty object.
  ///
  /// - Throws: A matter of usage for anything but an object of JSON.
  init(_ text: String?) throws {
    guard let text else {
      members = []
      return
    }
    guard text.utf8.count <= Self.maximumBytes else {
      throw InterfaceError.usage(
        "settings", expected: "at most \(Self.maximumBytes) bytes", found: "\(text.utf8.count)")
    }
    let value: JSONValue
    do throws(JSONReadingError) {
      value = try JSONValue(parsing: Array(text.utf8))
    } catch {
      throw InterfaceError.usage(
        (["settings"] + error.path).joined(separator: "/"), expected: error.expected,
        found: error.found)
    }
    guard value.kind == "an object" else {
      throw InterfaceError.usage("settings", expected: "an object of JSON", found: value.kind)
    }
    members = value.members
  }

  /// Refuses members that were not asked for.
  func finish() throws {
    guard let unknown = members.first(where: { !known.contains($0.key) }) else { return }
    throw InterfaceError.usage(
      "settings/\(unknown.key)", expected: known.sorted().joined(separator: ", "),
      found: "an unknown name")
  }

  /// The value of a setting; `nil` where it was not given or is `null`.
  private mutating func value(_ name: String) -> JSONValue? {
    known.append(name)
    guard let value = members.first(where: { $0.key == name })?.value, value != .null else {
      return nil
    }
    return value
  }

  /// An error about a setting.
  static func wrong(_ name: String, expected: String, found: String) -> InterfaceError {
    .usage("settings/\(name)", expected: expected, found: found)
  }

  private static func shown(_ value: JSONValue) -> String {
    let text = JSONWriter(layout: .compact).text(value)
    return text.count <= 60 ? text : value.kind
  }

  /// A value read in a way of its own; `nil` where it was not given.
  mutating func read<Value>(
    _ name: String, expected: String, _ reading: (JSONValue) -> Value?
  ) throws -> Value? {
    guard let value = value(name) else { return nil }
    guard let result = reading(value) else {
      throw Self.wrong(name, expected: expected, found: Self.shown(value))
    }
    return result
  }

  /// A text that the library reads; a number is taken as its text.
  mutating func parsed<Value>(
    _ name: String, _ parse: (String) throws(SettingTextError) -> Value
  ) throws -> Value? {
    guard let value = value(name) else { return nil }
    do throws(SettingTextError) {
      return try parse(value.string ?? value.number.map { "\($0)" } ?? "")
    } catch {
      throw Self.wrong(name, expected: error.expected, found: Self.shown(value))
    }
  }

  /// Texts that the library reads, of which a single one need not be in a list; none where it was not given.
  mutating func parsedTexts<Value>(
    _ name: String, atMost maximum: Int, _ parse: (String) throws(SettingTextError) -> Value
  ) throws -> [Value] {
    var values: [Value] = []
    for text in try texts(name, atMost: maximum) {
      do throws(SettingTextError) {
        values.append(try parse(text))
      } catch {
        throw Self.wrong(name, expected: error.expected, found: text)
      }
    }
    return values
  }

  /// Whether something is wanted, which it is not unless said.
  mutating func flag(_ name: String) throws -> Bool {
    try read(name, expected: "true or false", \.bool) ?? false
  }

  /// A text.
  mutating func text(_ name: String) throws -> String? {
    try read(name, expected: "a text", \.string)
  }

  /// A number in a range.
  mutating func number(_ name: String, in range: ClosedRange<Double>) throws -> Double? {
    try read(name, expected: "a number from \(range.lowerBound) to \(range.upperBound)") { value in
      value.number.flatMap { range.contains($0) ? $0 : nil }
    }
  }

  /// A whole number in a range.
  mutating func integer(_ name: String, in range: ClosedRange<Int>) throws -> Int? {
    let bounds =
      range.upperBound == .max
      ? "\(range.lowerBound) or more" : "\(range.lowerBound) to \(range.upperBound)"
    return try read(name, expected: "a whole number, \(bounds)") { value in
      value.integer.flatMap { range.contains($0) ? $0 : nil }
    }
  }

  /// One of the words of an enumeration.
  mutating func word<Choice: RawRepresentable & CaseIterable>(
    _ name: String, _ type: Choice.Type = Choice.self
  ) throws -> Choice? where Choice.RawValue == String {
    let words = Choice.allCases.map(\.rawValue)
    return try read(name, expected: "one of " + words.joined(separator: ", ")) { value in
      value.string.flatMap { Choice(rawValue: $0) }
    }
  }

  /// Texts, of which a single one need not be in a list; none where it was not given.
  mutating func texts(_ name: String, atMost maximum: Int) throws -> [String] {
    let texts: [String]? = try read(name, expected: "at most \(maximum) texts") { value in
      if let text = value.string { return [text] }
      guard let elements = value.elements, elements.count <= maximum else { return nil }
      let texts = elements.compactMap(\.string)
      return texts.count == elements.count ? texts : nil
    }
    return texts ?? []
  }
}
