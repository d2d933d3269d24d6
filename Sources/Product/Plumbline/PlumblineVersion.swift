/// The version of this package, as outputs carry it.
public enum PlumblineVersion {
  /// Semantic version; a change of a number that users see counts as breaking.
  public static let text = "0.1.0"
}
