package import PlumblineEffects
import PlumblineIO
public import PlumblineModel

/// The chosen values of an effect, as text: `aperture=2.8,shape=hexagon`.
package struct EffectSettings: Sendable, Hashable {
  private let effect: String
  private let values: [String: String]

  /// Reads settings; `-` are none.
  ///
  /// - Throws: ``EffectError`` for what is no list of `key=value`, and for a key that is there twice.
  package init(parsing text: String, effect: String) throws(EffectError) {
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

/// One number or choice of an effect, as a panel with sliders shows it.
public struct EffectParameter: Sendable, Hashable {
  /// The kind of a parameter and its range.
  public enum Kind: Sendable, Hashable {
    /// A number in a range, in steps.
    case number(ClosedRange<Double>, step: Double, unit: String)
    /// One of several words.
    case choice([String])
    /// `yes` or `no`.
    case flag
    /// A color as six hexadecimal digits.
    case color
    /// A position in the image: shares of the width and height of the stored image, `X;Y`.
    case place
  }

  /// Its name in settings.
  public var key: String
  /// Its name for people.
  public var label: String
  /// The kind of its value and control.
  public var kind: Kind
  /// The default value; empty leaves it to the effect.
  public var value: String

  /// Creates a parameter.
  package init(_ key: String, _ label: String, _ kind: Kind, value: String = "") {
    self.key = key
    self.label = label
    self.kind = kind
    self.value = value
  }
}

extension EffectParameter {
  /// The parameter as a panel reads it.
  var document: JSONValue {
    var members: [(String, JSONValue)] = [
      ("key", .string(key)), ("label", .string(label)), ("value", .string(value)),
    ]
    switch kind {
    case .number(let range, let step, let unit):
      members += [
        ("kind", "number"), ("minimum", .number(range.lowerBound)),
        ("maximum", .number(range.upperBound)), ("step", .number(step)), ("unit", .string(unit)),
      ]
    case .choice(let choices):
      members += [("kind", "choice"), ("choices", .array(choices.map { .string($0) }))]
    case .flag: members.append(("kind", "flag"))
    case .color:
      members[2] = ("value", .string("#" + value))
      members.append(("kind", "color"))
    case .place: members.append(("kind", "place"))
    }
    return .object(members)
  }
}

/// What an effect of a panel gives: one image, or those of a loop, all of one size.
package struct EffectImages: Sendable {
  /// The images; the last of a loop leads on to the first.
  ///
  /// What is to be known stands with the first.
  package var images: [EffectImage]
  /// How fast the images of a loop follow each other; `nil` for one image.
  package var imagesPerSecond: Int?

  /// Creates the result of an effect.
  ///
  /// - Precondition: There is an image.
  package init(_ images: [EffectImage], imagesPerSecond: Int? = nil) {
    precondition(!images.isEmpty, "an effect without an image")
    self.images = images
    self.imagesPerSecond = imagesPerSecond
  }
}
