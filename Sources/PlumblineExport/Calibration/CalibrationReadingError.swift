import PlumblineIO
/// Why bytes could not be read as a calibration: where, what was expected and what was found.
public struct CalibrationReadingError: Error, Sendable, Hashable {
  /// The kind of failure, by who can act on it.
  public enum Reason: String, Sendable, CaseIterable {
    /// The bytes contradict their own format.
    case malformed
    /// The numbers are legal but mean something that no calibration here can hold.
    case unsupported
    /// The file is sound, yet lacks something that a calibration needs.
    case missing
    /// Reading on would exceed a limit.
    case limitExceeded
  }

  /// The kind of failure, by who can act on it.
  public var reason: Reason
  /// The keys around the fault, outermost first, such as `["reference", "fx"]`.
  public var path: [String]
  /// What was expected there.
  public var expected: String
  /// What was found there.
  public var found: String

  /// Creates an error from its parts.
  public init(_ reason: Reason, path: [String] = [], expected: String, found: String) {
    self.reason = reason
    self.path = path
    self.expected = expected
    self.found = found
  }
}

extension CalibrationReadingError: CustomStringConvertible {
  /// One sentence, such as `malformed at camera_matrix: expected 9 numbers, found 4`.
  public var description: String {
    var text = reason == .limitExceeded ? "over a limit" : reason.rawValue
    if !path.isEmpty { text += " at " + path.joined(separator: "/") }
    return text + ": expected \(expected), found \(found)"
  }
}

extension CalibrationReadingError {
  /// Converts the error of a JSON document.
  init(_ error: JSONReadingError) {
    let reason: Reason =
      switch error.reason {
      case .malformed: .malformed
      case .unsupported: .unsupported
      case .missing: .missing
      case .limitExceeded: .limitExceeded
      }
    let place = error.offset.map { " at byte \($0)" } ?? ""
    self.init(reason, path: error.path, expected: error.expected + place, found: error.found)
  }
}
