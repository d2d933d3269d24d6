package import PlumblineIO

/// An error when a loop of images cannot be coded.
public struct LoopEncodingError: Error, Sendable, Hashable {
  /// The kind of failure, which decides who can act on it.
  public enum Reason: String, Sendable, CaseIterable {
    /// The program `ffmpeg` is not installed, or this platform starts no programs.
    case absent
    /// The program gave no answer.
    case failed
    /// The images do not make a video.
    case frames
    /// A number beyond sense.
    case outOfRange
  }

  /// The kind of failure.
  public var reason: Reason
  /// One sentence that is safe to print.
  public var detail: String

  /// Creates an error from its parts.
  public init(_ reason: Reason, _ detail: String) {
    self.reason = reason
    self.detail = detail
  }

  package init(_ failure: ProgramFailure) {
    if case .absent = failure {
      self.init(.absent, failure.detail)
    } else {
      self.init(.failed, failure.detail)
    }
  }
}

extension LoopEncodingError: CustomStringConvertible {
  /// The sentence.
  public var description: String { detail }
}
