import PlumblineIO

/// Paths that a recording's own text names, which must stay in its folder.
enum RelativePath {
  /// The path as ``CaptureFolder`` names it, without `.` and empty parts.
  ///
  /// - Returns: `nil` for one that is absolute, has a part `..`, or names nothing.
  static func normalized(_ path: String) -> String? {
    // A drive letter or a scheme makes it absolute on some systems.
    guard path.utf8.count <= 4096, !path.utf8.contains(UInt8(ascii: ":")),
      path.utf8.first != UInt8(ascii: "/"), path.utf8.first != UInt8(ascii: "\\")
    else { return nil }
    let parts = pathParts(path).filter { !$0.isEmpty && $0 != "." }
    guard !parts.isEmpty, !parts.contains("..") else { return nil }
    return parts.joined(separator: "/")
  }
}
