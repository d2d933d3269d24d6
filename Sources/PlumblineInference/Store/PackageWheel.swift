/// A wheel of PyPI, pinned by its checksum: a ZIP archive that is fetched whole or taken from disk.
public struct PackageWheel: Sendable, Hashable {
  /// The name of the project on the index.
  public var project: String
  /// The name of the file.
  public var fileName: String
  /// Its SHA-256, as 64 lowercase hexadecimal digits.
  public var sha256: String
  /// Where PyPI keeps it; `nil` for those that are only taken from disk.
  public var url: String?

  /// Creates a wheel from its parts.
  public init(project: String, fileName: String, sha256: String, url: String?) {
    self.project = project
    self.fileName = fileName
    self.sha256 = sha256
    self.url = url
  }
}
