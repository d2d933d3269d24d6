/// Why depth cannot be estimated, fitted or judged: what is needed and what there is.
public struct EstimationError: Error, Sendable, Hashable {
  /// Who can act on the failure.
  public enum Reason: String, Sendable, CaseIterable {
    /// What is needed is not there, such as an image.
    case missing
    /// Numbers belong to an image of another shape.
    case mismatch
    /// The numbers determine nothing, such as an output of one value.
    case degenerate
  }

  /// Who can act on the failure.
  public var reason: Reason
  /// What is needed.
  public var expected: String
  /// What there is.
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
