/// An error of reading bytes as a capture: its kind and position, the expected and the found
/// content.
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

  /// Information that a user can supply with the file; a program can explain how.
  public enum Need: Sendable, Hashable {
    /// Two known distances, which convert a relative map to meters.
    case knownDistances
    /// The statement that the image holds two views side by side.
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
  /// The possible alternatives, if they are too long for a sentence; usually empty.
  ///
  /// Each entry is one alternative, such as a folder layout and how it is recognized.
  /// ``description`` omits them.
  public var choices: [String]
  /// Information from the user that would help; `nil` where none is known to help.
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
    // Text from a file may be empty; the sentence must not end there.
    self.found = found.isEmpty ? "nothing" : found
  }

  /// The same error with an enclosing structure added to its path.
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
