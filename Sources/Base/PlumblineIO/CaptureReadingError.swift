/// An error of reading bytes as a capture: its kind and position, what was expected and found.
public struct CaptureReadingError: Error, Sendable, Hashable {
  /// The kind of failure, by who can act on it.
  public enum Reason: String, Sendable, CaseIterable {
    /// The bytes contradict their own format: the file is damaged or hostile.
    case malformed
    /// The bytes are legal but mean something that this reader does not know.
    case unsupported
    /// The file is sound, yet holds nothing that was requested, such as no depth.
    case missing
    /// Reading on would exceed one of ``ReadingLimits``.
    case limitExceeded
  }

  /// What a user can give with the file, so that a program can say how.
  public enum Need: Sendable, Hashable {
    /// Two known distances, which make a relative map metric.
    case knownDistances
    /// The word that the image holds two views side by side.
    case sideBySide
  }

  /// The kind of failure, by who can act on it.
  public var reason: Reason
  /// The structures around the fault, outermost first, such as `["meta", "iloc", "item 49"]`.
  public var path: [String]
  /// The byte offset in the file, where one position is at fault.
  public var offset: Int?
  /// What was expected there.
  public var expected: String
  /// What was found there.
  public var found: String
  /// What could have been there, where the choice is too long for a sentence; mostly empty.
  ///
  /// An entry each, such as the layouts of folders with their signs. ``description`` leaves it out.
  public var choices: [String]
  /// What a user can give with the file; `nil` where nothing is known to help.
  public var need: Need?

  /// Creates an error from its parts.
  public init(
    _ reason: Reason, path: [String] = [], offset: Int? = nil, expected: String, found: String,
    choices: [String] = [], need: Need? = nil
  ) {
    self.need = need
    self.reason = reason
    self.path = path
    self.offset = offset
    self.expected = expected
    self.choices = choices
    // Text cut out of a file may be empty; a sentence must not end there.
    self.found = found.isEmpty ? "nothing" : found
  }

  /// The same error with a structure added around its position.
  public func inside(_ name: String) -> CaptureReadingError {
    var copy = self
    copy.path.insert(name, at: 0)
    return copy
  }
}

extension CaptureReadingError: CustomStringConvertible {
  /// One sentence, such as `malformed at meta/iloc (byte 231): expected …, found …`.
  ///
  /// Strings from the file must have been passed through ``printable(_:)`` before they get here.
  public var description: String {
    var text = reason == .limitExceeded ? "over a limit" : reason.rawValue
    if !path.isEmpty { text += " at " + path.joined(separator: "/") }
    if let offset { text += " (byte \(offset))" }
    return text + ": expected \(expected), found \(found)"
  }
}
