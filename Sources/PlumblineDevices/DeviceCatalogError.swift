import PlumblineIO
/// An error in a device catalog.
public struct DeviceCatalogError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of trouble.
  public enum Reason: String, Sendable, CaseIterable {
    /// No JSON, or a member is missing or of another type.
    case malformed
    /// The members are there and do not fit together.
    case inconsistent
  }

  /// The kind of trouble.
  public var reason: Reason
  /// The position in the document, such as `devices.3.measurements.0`.
  public var path: String
  /// What was expected there.
  public var expected: String
  /// What was found there.
  public var found: String

  init(_ reason: Reason, path: String, expected: String, found: String) {
    self.reason = reason
    self.path = path
    self.expected = expected
    self.found = found
  }

  /// The error in one line.
  public var description: String {
    "device catalog, \(path): expected \(expected), found \(found)"
  }

  init(_ error: JSONReadingError) {
    let place = error.offset.map { "byte \($0)" }
    self.init(
      .malformed, path: (error.path + [place].compactMap(\.self)).joined(separator: "."),
      expected: error.expected, found: error.found)
  }
}
