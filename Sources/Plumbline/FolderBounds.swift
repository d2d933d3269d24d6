#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// A folder that what is read of it must lie in, wherever links lead.
struct FolderBounds: Sendable {
  /// Without links, with a slash at its end.
  private let root: String

  /// - Returns: `nil` where the folder cannot be reached.
  init?(path: String) {
    guard let resolved = Self.resolved(path) else { return nil }
    root = resolved == "/" ? "/" : resolved + "/"
  }

  /// Whether a path leads to something in the folder.
  func holds(_ path: String) -> Bool { Self.resolved(path)?.hasPrefix(root) == true }

  /// Whether an open file is one of the folder, under the path by which it was opened; whatever took the
  /// name since.
  func holds(_ descriptor: Int32, openedAs path: String) -> Bool {
    guard let resolved = Self.resolved(path), resolved.hasPrefix(root) else { return false }
    var (opened, found) = (stat(), stat())
    return fstat(descriptor, &opened) == 0 && lstat(resolved, &found) == 0
      && opened.st_dev == found.st_dev && opened.st_ino == found.st_ino
  }

  private static func resolved(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(validatingCString: resolved)
  }
}
