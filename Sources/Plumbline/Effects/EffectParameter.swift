import PlumblineIO
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
  public init(_ key: String, _ label: String, _ kind: Kind, value: String = "") {
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
