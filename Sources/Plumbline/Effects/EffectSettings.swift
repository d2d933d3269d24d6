public import PlumblineEffects
public import PlumblineModel

/// The chosen values of an effect, as text: `aperture=2.8,shape=hexagon`.
public struct EffectSettings: Sendable, Hashable {
  private let effect: String
  private let values: [String: String]

  /// Reads settings; `-` are none.
  ///
  /// - Throws: ``EffectError`` for what is no list of `key=value`, and for a key that is there twice.
  public init(parsing text: String, effect: String) throws(EffectError) {
    self.effect = effect
    var values: [String: String] = [:]
    for part in text == "-" ? [] : text.split(separator: ",", omittingEmptySubsequences: false) {
      let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard sides.count == 2, values[String(sides[0])] == nil else {
        throw EffectError(
          .outOfRange, effect: effect, expected: "settings such as aperture=2.8, each once",
          found: "“\(part)”")
      }
      values[String(sides[0])] = String(sides[1])
    }
    self.values = values
  }

  /// Refuses keys that the effect does not have.
  func requireOnly(_ parameters: [EffectParameter]) throws(EffectError) {
    let known = Set(parameters.map(\.key))
    guard let stranger = values.keys.filter({ !known.contains($0) }).min() else { return }
    throw EffectError(
      .outOfRange, effect: effect,
      expected: "one of \(parameters.map(\.key).joined(separator: ", "))", found: "“\(stranger)”")
  }

  /// A number, or what stands in its place.
  func number(_ key: String, _ usual: Double) throws(EffectError) -> Double {
    guard let text = values[key], !text.isEmpty else { return usual }
    guard let number = Double(text), number.isFinite else { throw refusal(key, "a number", text) }
    return number
  }

  /// One of a set of words.
  func choice<Choice: RawRepresentable & CaseIterable>(
    _ key: String, _ usual: Choice
  ) throws(EffectError) -> Choice where Choice.RawValue == String {
    guard let text = values[key], !text.isEmpty else { return usual }
    guard let choice = Choice(rawValue: text) else {
      throw refusal(key, Choice.allCases.map(\.rawValue).joined(separator: ", "), text)
    }
    return choice
  }

  /// `yes` or `no`.
  func flag(_ key: String, _ usual: Bool) throws(EffectError) -> Bool {
    switch values[key] {
    case nil, "": usual
    case "yes": true
    case "no": false
    case let text?: throw refusal(key, "yes or no", text)
    }
  }

  /// Six hexadecimal digits.
  func color(_ key: String, _ usual: RGB8) throws(EffectError) -> RGB8 {
    guard let text = values[key], !text.isEmpty else { return usual }
    guard let color = RGB8(hexadecimal: text) else {
      throw refusal(key, "six hexadecimal digits", text)
    }
    return color
  }

  /// A position as a pixel of an image, not rounded; `nil` when none was chosen.
  func place(_ key: String, in size: RasterSize) throws(EffectError) -> SIMD2<Double>? {
    guard let text = values[key], !text.isEmpty else { return nil }
    let parts = text.split(separator: ";", omittingEmptySubsequences: false)
    guard parts.count == 2, let x = Double(parts[0]), let y = Double(parts[1]),
      (0...1).contains(x), (0...1).contains(y)
    else { throw refusal(key, "shares of width and height, X;Y", text) }
    let last = SIMD2(Double(size.width - 1), Double(size.height - 1))
    let place = SIMD2(x * Double(size.width), y * Double(size.height)) - 0.5
    return place.clamped(lowerBound: .zero, upperBound: last)
  }

  private func refusal(_ key: String, _ expected: String, _ found: String) -> EffectError {
    EffectError(
      .outOfRange, effect: effect, expected: "\(expected) for \(key)", found: "“\(found)”")
  }
}

extension RGB8 {
  /// Reads `1a2b3c`, with or without a `#` before it.
  public init?(hexadecimal text: String) {
    let digits = text.hasPrefix("#") ? text.dropFirst() : text[...]
    guard digits.utf8.count == 6, let number = UInt32(digits, radix: 16), digits.first != "+"
    else { return nil }
    self.init(
      red: UInt8(number >> 16), green: UInt8(number >> 8 & 255), blue: UInt8(number & 255))
  }
}
