/// A version of iOS, as far as rules depend on it.
public struct SystemVersion: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The first number.
  public var major: Int
  /// The second number.
  public var minor: Int

  /// Creates a version.
  public init(_ major: Int, _ minor: Int = 0) {
    self.major = major
    self.minor = minor
  }

  /// Whether a version came before another one.
  public static func < (a: SystemVersion, b: SystemVersion) -> Bool {
    (a.major, a.minor) < (b.major, b.minor)
  }

  /// The version as `iOS 15.4`.
  public var description: String { "iOS \(major).\(minor)" }
}
