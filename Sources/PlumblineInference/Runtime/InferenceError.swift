/// An error of loading or running a network: its kind, what was expected and found.
public struct InferenceError: Error, Sendable, Hashable {
  /// The kind of failure, by who can act on it.
  public enum Reason: String, Sendable, CaseIterable {
    /// No runtime or no such model is installed; the message says what installs it.
    case notInstalled
    /// The model file is damaged or hostile.
    case malformed
    /// The model is sound but holds something that cannot be run or converted here.
    case unsupported
    /// The model does not do what its card says, such as another shape.
    case mismatch
    /// The runtime itself failed.
    case failed
  }

  /// The kind of failure, by who can act on it.
  public var reason: Reason
  /// The subject of the failure: a model's name, a file, a layer.
  public var subject: String
  /// What was expected.
  public var expected: String
  /// What was found.
  public var found: String

  /// Creates an error from its parts.
  public init(_ reason: Reason, _ subject: String, expected: String, found: String) {
    self.reason = reason
    self.subject = subject
    self.expected = expected
    self.found = found
  }
}

extension InferenceError: CustomStringConvertible {
  /// One sentence, such as `fastdepth-nyu: expected …, found …`.
  public var description: String { "\(subject): expected \(expected), found \(found)" }
}
