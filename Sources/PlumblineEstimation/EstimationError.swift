/// An error when depth cannot be estimated, fitted or evaluated.
public struct EstimationError: Error, Sendable, Hashable {
  /// The kind of failure, by who can act on it.
  public enum Reason: String, Sendable, CaseIterable {
    /// The needed data are missing, such as an image.
    case missing
    /// Numbers belong to an image of another shape.
    case mismatch
    /// The numbers determine nothing, such as an output of one value.
    case degenerate
  }

  /// The kind of failure, by who can act on it.
  public var reason: Reason
  /// What was expected.
  public var expected: String
  /// What was found.
  public var found: String

  /// Creates an error from its parts.
  public init(_ reason: Reason, expected: String, found: String) {
    self.reason = reason
    self.expected = expected
    self.found = found
  }
}

extension EstimationError: CustomStringConvertible {
  /// One sentence.
  public var description: String { "expected \(expected), found \(found)" }
}
