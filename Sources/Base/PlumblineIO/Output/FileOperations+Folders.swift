#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

extension FileOperations {
  /// Removes a folder with its contents, as far as the system allows; links are not followed.
  package func removeTree(_ path: String) {
    guard let names = try? entries(path) else { return }
    for name in names where (try? remove("\(path)/\(name)")) == nil {
      removeTree("\(path)/\(name)")
    }
    try? removeDirectory(path)
  }
}

/// The names in a folder without `.` and `..`; names that are not UTF-8 are omitted.
func entriesOfFolder(_ path: String) throws(SystemFailure) -> [String] {
  guard let folder = opendir(path) else { throw SystemFailure(code: errno) }
  defer { closedir(folder) }
  var names: [String] = []
  while let entry = readdir(folder) {
    let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
      String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    if let name, name != ".", name != ".." { names.append(name) }
  }
  return names
}

/// Opens a folder or file and locks it until ``unlockEntry(_:)`` or the end of this process.
///
/// - Throws: `EWOULDBLOCK` where another process has the lock and `waits` is false.
func lockEntry(_ path: String, waits: Bool) throws(SystemFailure) -> Int32 {
  let folder = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
  guard folder >= 0 else { throw SystemFailure(code: errno) }
  while flock(folder, waits ? LOCK_EX : LOCK_EX | LOCK_NB) != 0 {
    let code = errno
    if code == EINTR { continue }
    // Some network file systems have no locks; there no folder of another process is ever removed.
    if code == ENOTSUP || code == ENOLCK || code == ENOSYS { break }
    close(folder)
    throw SystemFailure(code: code)
  }
  return folder
}

/// Ends a lock and closes its descriptor.
///
/// To close is not enough: a program that another thread starts at this moment has a copy of the descriptor
/// until it becomes that program, and the lock would last as long as the copy.
func unlockEntry(_ descriptor: Int32) {
  _ = flock(descriptor, LOCK_UN)
  close(descriptor)
}

/// Reads a whole file, which must be a regular file of at most `limit` bytes.
func readSmallFile(_ path: String, limit: Int) throws(SystemFailure) -> [UInt8] {
  let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
  guard file >= 0 else { throw SystemFailure(code: errno) }
  defer { close(file) }
  var status = stat()
  guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
    Int(status.st_size) <= limit
  else { throw .inputOutput }
  var bytes: [UInt8] = []
  var piece = [UInt8](repeating: 0, count: 65536)
  while bytes.count <= limit {
    let count = piece.withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
    if count < 0, errno == EINTR { continue }
    guard count >= 0 else { throw SystemFailure(code: errno) }
    if count == 0 { return bytes }
    bytes += piece[..<count]
  }
  throw .inputOutput
}

/// Synchronizes all file systems.
func synchronizeDisks() { sync() }
