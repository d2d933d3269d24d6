/// Why a correction cannot be applied to a capture: what it needs and what the capture has.
public struct CorrectionError: Error, Sendable, Hashable {
  /// The kind of failure, by who can act on it.
  public enum Reason: String, Sendable, CaseIterable {
    /// The capture lacks what is to be corrected, such as a calibration.
    case missing
    /// Numbers belong to an image of another shape.
    case mismatch
    /// The capture is of a kind for which the correction is not defined.
    case unsupported
  }

  /// The kind of failure, by who can act on it.
  public var reason: Reason
  /// The name of the correction, such as `rectified`.
  public var step: String
  /// What was expected: the data that the correction needs.
  public var expected: String
  /// What was found in the capture.
  public var found: String

  /// Creates an error from its parts.
  public init(_ reason: Reason, step: String, expected: String, found: String) {
    self.reason = reason
    self.step = step
    self.expected = expected
    self.found = found
  }
}

extension CorrectionError: CustomStringConvertible {
  /// One sentence, such as `cannot be rectified: expected …, found …`.
  public var description: String {
    "the step \(step) cannot be applied: expected \(expected), found \(found)"
  }
}
