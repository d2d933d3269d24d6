import PlumblineIO

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A small file that only this user can read and replace.
enum PrivateFile {
  /// Why a file cannot be read or written, or is not to be trusted.
  enum Fault: Error, Hashable {
    case absent
    case unfit(String)

    var detail: String {
      switch self {
      case .absent: "it is not there"
      case .unfit(let detail): detail
      }
    }

    /// The error of the last call that failed.
    static func system(_ path: String) -> Fault {
      .unfit("\(path): \(String(cString: strerror(errno)))")
    }
  }

  /// Reads a file whole.
  ///
  /// - Throws: ``Fault`` for a link, another user's file, one that others may read or write, and one of
  ///   more bytes than the limit.
  static func read(_ path: String, byteLimit: Int) throws(Fault) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { throw errno == ENOENT ? .absent : .system(path) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .system(path) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .unfit("\(path) is no file") }
    guard status.st_uid == geteuid() else { throw .unfit("\(path) belongs to another user") }
    guard status.st_mode & 0o077 == 0 else {
      let mode = String(Int(status.st_mode & 0o777), radix: 8)
      throw .unfit("others may read or write \(path) (mode 0\(mode))")
    }
    guard status.st_size <= byteLimit else { throw .unfit("\(path) is too large") }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    var count = 0
    while count < bytes.count {
      let got = bytes.withUnsafeMutableBytes { buffer in
        systemRead(descriptor, buffer.baseAddress.map { $0 + count }, buffer.count - count)
      }
      if got < 0, errno == EINTR { continue }
      guard got >= 0 else { throw .system(path) }
      if got == 0 { break }
      count += got
    }
    return Array(bytes.prefix(count))
  }

  /// Writes a file whole or not at all, in place of what has its name, mode 0600 from its making; the
  /// folder is made, mode 0700, where it is not there.
  ///
  /// - Throws: ``Fault``, also for a folder in which others may put files; nothing is left behind.
  static func write(_ bytes: [UInt8], to path: String, in folder: String) throws(Fault) {
    try prepare(folder)
    do throws(OutputError) {
      var output = OutputTransaction(existing: .replace, operations: .systemPrivate)
      try output.stage(bytes, at: path)
      _ = try output.publish()
    } catch { throw .unfit("\(path): \(error.detail)") }
  }

  private static func prepare(_ folder: String) throws(Fault) {
    var made = ""
    for part in folder.split(separator: "/") {
      made += "/" + part
      if mkdir(made, 0o700) != 0, errno != EEXIST, errno != EISDIR { throw .system(made) }
    }
    var status = stat()
    guard stat(folder, &status) == 0 else { throw .system(folder) }
    guard status.st_uid == geteuid(), status.st_mode & 0o022 == 0 else {
      throw .unfit("others may put files into \(folder)")
    }
  }
}

// The name of the type's own function hides that of the system.
private func systemRead(
  _ descriptor: Int32, _ start: UnsafeMutableRawPointer?, _ count: Int
) -> Int {
  read(descriptor, start, count)
}
