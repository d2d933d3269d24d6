/// A version of iOS, for rules that depend on it.
public struct SystemVersion: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The major version.
  public var major: Int
  /// The minor version.
  public var minor: Int

  /// Creates a version.
  public init(_ major: Int, _ minor: Int = 0) {
    self.major = major
    self.minor = minor
  }

  /// Whether a version is earlier than another one.
  public static func < (a: SystemVersion, b: SystemVersion) -> Bool {
    (a.major, a.minor) < (b.major, b.minor)
  }

  /// The version as `iOS 15.4`.
  public var description: String { "iOS \(major).\(minor)" }
}
