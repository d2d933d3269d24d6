import Plumbline

/// An error of this interface itself: settings, names of arrays and arguments that the library never sees.
struct InterfaceError: CategorizedError, CustomStringConvertible {
  /// Who can act on it.
  let category: FailureCategory
  /// The setting, task or array that it is about.
  let place: String
  /// What was expected there.
  let expected: String
  /// What was found there.
  let found: String

  /// A setting, task or argument that cannot be used as it is.
  static func usage(_ place: String, expected: String, found: String) -> InterfaceError {
    InterfaceError(category: .usage, place: place, expected: expected, found: found)
  }

  /// A part that the capture does not have.
  static func missing(_ place: String, expected: String, found: String) -> InterfaceError {
    InterfaceError(category: .unusableInput, place: place, expected: expected, found: found)
  }

  var description: String {
    "\(printable(text: place)): expected \(expected), found \(printable(text: found))"
  }
}

/// The progress function ended the work.
struct CancelledError: CategorizedError, CustomStringConvertible {
  var category: FailureCategory { .interrupted }

  var description: String { "cancelled; nothing was written" }
}
