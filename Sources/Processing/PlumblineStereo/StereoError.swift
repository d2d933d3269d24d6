/// Why two images give no depth: what is needed and what there is.
public struct StereoError: Error, Sendable, Hashable {
  /// The kind of failure, by who can act on it.
  public enum Reason: String, Sendable, CaseIterable {
    /// What is needed is not there, such as a second image.
    case missing
    /// Numbers belong to an image of another shape.
    case mismatch
    /// The numbers determine nothing, such as a baseline of length 0.
    case degenerate
    /// The data is sound, but no part of Plumbline can use it.
    case unsupported
    /// A range in meters was given, and the geometry has no unit; disparities are a range for it.
    case relative
    /// The data needs more memory or work than allowed.
    case limitExceeded
  }

  /// The kind of failure, by who can act on it.
  public var reason: Reason
  /// What was expected.
  public var expected: String
  /// What was found.
  public var found: String

  /// Creates an error from its parts.
  package init(_ reason: Reason, expected: String, found: String) {
    self.reason = reason
    self.expected = expected
    self.found = found
  }
}

extension StereoError: CustomStringConvertible {
  /// One sentence.
  public var description: String { "expected \(expected), found \(found)" }
}
