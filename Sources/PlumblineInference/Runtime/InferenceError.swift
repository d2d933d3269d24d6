/// Why a network cannot be had or run: who can act, what was expected and found.
public struct InferenceError: Error, Sendable, Hashable {
  /// Who can act on the failure.
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

  /// Who can act on the failure.
  public var reason: Reason
  /// What the failure is about: a model's name, a file, a layer.
  public var subject: String
  /// What is needed.
  public var expected: String
  /// What there is.
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
