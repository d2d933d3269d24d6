package import PlumblineIO

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// A file on the disk that is read piece by piece; open as long as the value lives.
package final class FileSource: ByteSource {
  private let path: String
  private let descriptor: Int32
  /// The size when it was opened.
  package let byteCount: Int

  /// Opens a regular file; none of it is read.
  ///
  /// - Throws: ``InputError``.
  package convenience init(path: String) throws(InputError) {
    try self.init(path: path, bounds: nil)
  }

  /// Opens a regular file of a folder.
  init(path: String, bounds: FolderBounds?) throws(InputError) {
    (descriptor, byteCount) = try InputFile.opened(path, bounds: bounds)
    self.path = path
  }

  deinit { close(descriptor) }

  /// Reads some of the bytes, from any thread.
  ///
  /// - Throws: `.missing` when the file became shorter or cannot be read.
  package func bytes(in range: Range<Int>) throws(CaptureReadingError) -> [UInt8] {
    precondition(range.lowerBound >= 0 && range.upperBound <= byteCount, "outside of the file")
    var problem: String?
    let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
      while count < range.count {
        let got = pread(
          descriptor, buffer.baseAddress.map { $0 + count }, range.count - count,
          off_t(range.lowerBound + count))
        if got < 0 && errno == EINTR { continue }
        if got < 0 { problem = String(cString: strerror(errno)) }
        if got == 0 { problem = "the file became shorter while it was read" }
        if got <= 0 { break }
        count += got
      }
    }
    if let problem {
      throw CaptureReadingError(
        .missing, path: [printable(text: path)], offset: range.lowerBound + bytes.count,
        expected: "\(range.count) bytes that can be read", found: problem)
    }
    return bytes
  }
}

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
