import PlumblineIO

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// What tells that a capture was changed without reading it.
package struct CaptureIdentity: Sendable, Hashable {
  /// The size of the file, of a folder that of all files in it.
  package var bytes: Int
  /// When it was changed last, in nanoseconds since 1970; of a folder the latest of its files and folders.
  package var modified: Int
  /// Whether it is a folder.
  package var isFolder: Bool

  /// The most folders in folders that are looked into, as readers of recordings do.
  private static let maximumDepth = 4

  /// Describes what was found at a path.
  package init(bytes: Int, modified: Int, isFolder: Bool) {
    self.bytes = bytes
    self.modified = modified
    self.isFolder = isFolder
  }

  /// Looks at a path, through links; `nil` where there is nothing.
  ///
  /// Cost: one call of the system, of a folder one for each file.
  package init?(path: String) {
    self.init(path: path, depth: 0)
  }

  private init?(path: String, depth: Int) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    isFolder = status.st_mode & S_IFMT == S_IFDIR
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    modified = Int(time.tv_sec) &* 1_000_000_000 &+ Int(time.tv_nsec)
    bytes = isFolder ? 0 : Int(status.st_size)
    guard isFolder, depth < Self.maximumDepth else { return }
    for name in (try? FileOperations.system.entries(path)) ?? [] {
      guard let inside = CaptureIdentity(path: "\(path)/\(name)", depth: depth + 1) else {
        continue
      }
      bytes &+= inside.bytes
      modified = max(modified, inside.modified)
    }
  }

  /// The SHA-256 of a regular file as 64 hexadecimal digits.
  ///
  /// `nil` for anything else, and for a file that cannot be read to its end. O(*n*).
  package static func digest(path: String) -> String? {
    // A device is never opened, and a pipe never waited for.
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    var stream = SHA256Stream()
    return withUnsafeTemporaryAllocation(byteCount: 1 << 18, alignment: 16) { buffer in
      while true {
        let count = read(file, buffer.baseAddress, buffer.count)
        if count < 0, errno == EINTR { continue }
        guard count >= 0 else { return nil }
        if count == 0 { return stream.finish() }
        stream.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      }
    }
  }
}
