/// An error when an effect cannot be applied to a photo: what was expected and found.
public struct EffectError: Error, Sendable, Hashable {
  /// The kind of failure, which decides who can act on it.
  public enum Reason: String, Sendable, CaseIterable {
    /// The photo lacks something, such as depth or a matte.
    case missing
    /// Parts do not fit each other, such as a background of another shape.
    case mismatch
    /// A number beyond sense, such as an aperture of f/0.
    case outOfRange
  }

  /// The kind of failure.
  public var reason: Reason
  /// The effect, such as `blur`.
  public var effect: String
  /// What was expected: the data that the effect needs.
  public var expected: String
  /// What was found.
  public var found: String

  /// Creates an error from its parts.
  public init(_ reason: Reason, effect: String, expected: String, found: String) {
    self.reason = reason
    self.effect = effect
    self.expected = expected
    self.found = found
  }
}

extension EffectError: CustomStringConvertible {
  /// One sentence that is safe to print.
  public var description: String { "\(effect): expected \(expected), found \(found)" }
}
