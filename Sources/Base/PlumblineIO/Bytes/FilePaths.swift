import Synchronization

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// The identity of the file at a path: links and other spellings of the path give the same
/// identity.
package struct FileIdentity: Hashable, Sendable {
  private let device: UInt64
  private let number: UInt64

  /// The file behind a path, through symbolic links; `nil` where there is none.
  package init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// The file behind an open descriptor; `nil` for one that is not open.
  package init?(descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  private init(_ status: stat) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    number = UInt64(truncatingIfNeeded: status.st_ino)
  }
}

/// The files that one command has opened for reading, so that no output replaces one of them.
///
/// A command runs inside `FilesRead.$current.withValue(FilesRead())`. Code that reads a file adds
/// it, and code that writes checks ``contains(path:)`` before it replaces a file. Outside such a
/// scope no file is collected and no output is refused.
package final class FilesRead: Sendable {
  /// The collection of the command that runs in this task; `nil` outside of a command.
  @TaskLocal package static var current: FilesRead?

  private let identities = Mutex<Set<FileIdentity>>([])

  /// Starts without any file.
  package init() {}

  /// Adds the file behind an open descriptor.
  package func insert(descriptor: Int32) {
    guard let identity = FileIdentity(descriptor: descriptor) else { return }
    identities.withLock { _ = $0.insert(identity) }
  }

  /// Adds the file behind a path that will be read later; nothing where there is none.
  package func insert(path: String) {
    guard let identity = FileIdentity(path: path) else { return }
    identities.withLock { _ = $0.insert(identity) }
  }

  /// Whether a path leads to a file that was added.
  package func contains(path: String) -> Bool {
    guard let identity = FileIdentity(path: path) else { return false }
    return identities.withLock { $0.contains(identity) }
  }
}

/// The parts of a path between its `/`, empty ones too, as the operating system sees them.
///
/// It compares bytes: for `String`, a `/` followed by a combining mark is another character, which
/// would hide a following part `..`.
package func pathParts(_ path: String) -> [Substring] {
  path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    .map { Substring($0) }
}

/// The last non-empty part of a path, such as the name of a file; the path itself if all are empty.
public func lastPathPart(_ path: String) -> String {
  pathParts(path).last { !$0.isEmpty }.map { String($0) } ?? path
}

/// The text after the last dot of a path's last part, in lowercase, such as `jpg`; the whole part
/// where it has no dot.
package func pathEnding(_ path: String) -> String {
  lastPathPart(path).split(separator: ".").last.map { $0.lowercased() } ?? ""
}
