/// Why a catalog cannot be used.
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
  /// Where, such as `devices.3.measurements.0`.
  public var path: String
  /// What should be there.
  public var expected: String
  /// What is there.
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

  static func path(of error: any Error) -> String {
    let path = context(of: error)?.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }
    return path.map { $0.joined(separator: ".") } ?? ""
  }

  static func detail(of error: any Error) -> String {
    context(of: error)?.debugDescription ?? "\(error)"
  }

  private static func context(of error: any Error) -> DecodingError.Context? {
    switch error as? DecodingError {
    case .typeMismatch(_, let context), .valueNotFound(_, let context),
      .keyNotFound(_, let context), .dataCorrupted(let context):
      context
    default: nil
    }
  }
}
