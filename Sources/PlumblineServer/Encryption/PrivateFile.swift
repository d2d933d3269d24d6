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

  /// Writes a file beside its place, syncs it and gives it its name, mode 0600; the folder is made,
  /// mode 0700, where it is not there.
  ///
  /// - Throws: ``Fault``, also for a folder in which others may put files; nothing is left behind.
  static func write(_ bytes: [UInt8], to path: String, in folder: String) throws(Fault) {
    try prepare(folder)
    let partial = "\(path).\(AccessToken().text)"
    let descriptor = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw .system(partial) }
    var isWritten = false
    defer {
      close(descriptor)
      if !isWritten { unlink(partial) }
    }
    // Whatever the mask of this process is.
    guard fchmod(descriptor, 0o600) == 0 else { throw .system(partial) }
    var count = 0
    while count < bytes.count {
      let put = bytes.withUnsafeBytes { buffer in
        systemWrite(descriptor, buffer.baseAddress.map { $0 + count }, buffer.count - count)
      }
      if put < 0, errno == EINTR { continue }
      guard put > 0 else { throw .system(partial) }
      count += put
    }
    guard fsync(descriptor) == 0, rename(partial, path) == 0 else { throw .system(path) }
    isWritten = true
    let holder = open(folder, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
    if holder >= 0 {
      fsync(holder)
      close(holder)
    }
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

// The names of the type's own functions hide those of the system.
private func systemRead(
  _ descriptor: Int32, _ start: UnsafeMutableRawPointer?, _ count: Int
) -> Int {
  read(descriptor, start, count)
}

private func systemWrite(_ descriptor: Int32, _ start: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, start, count)
}
