#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif
/// The number and the text of a failed system call.
package struct SystemFailure: Error, Equatable {
  package let code: Int32

  package var text: String { String(cString: strerror(code)) }
  /// Whether the call failed because the name is taken.
  package var isExisting: Bool { code == EEXIST || code == ENOTEMPTY }
  /// Whether the call failed because another process has the lock.
  package var isLocked: Bool { code == EWOULDBLOCK }
  /// Whether the call failed because no file has the name.
  package var isMissing: Bool { code == ENOENT }
  /// Whether the user may not do it.
  package var isDenied: Bool { code == EACCES || code == EPERM }
  /// Whether the disk or the user's quota is full.
  package var isFull: Bool { code == ENOSPC || code == EDQUOT }

  package static let inputOutput = SystemFailure(code: EIO)
  static let noSpace = SystemFailure(code: ENOSPC)
}

/// The kind of file at a path.
package enum FileKind { case nothing, file, directory, other }

/// The system calls that writing a file needs, as values so that tests can let each one fail.
package struct FileOperations: Sendable {
  /// Creates a new file and opens it for writing.
  package var create: @Sendable (_ path: String) throws(SystemFailure) -> Int32
  /// Writes at least one byte and returns the number of bytes written.
  package var write:
    @Sendable (_ file: Int32, _ bytes: UnsafeRawBufferPointer) throws(SystemFailure) -> Int
  /// Waits until a file's bytes are on the disk.
  package var synchronize: @Sendable (_ file: Int32) throws(SystemFailure) -> Void
  /// Waits until the disk has received a file's bytes, but not all of its metadata.
  var synchronizeData: @Sendable (_ file: Int32) throws(SystemFailure) -> Void
  /// Starts to bring a part of a file to the disk and does not wait, so that a later synchronization takes
  /// less time; that also tells what failed.
  var startWriting: @Sendable (_ file: Int32, _ part: Range<Int>) -> Void = { _, _ in }
  /// Truncates a file to a length; the next bytes are written there.
  package var truncate: @Sendable (_ file: Int32, _ byteCount: Int) throws(SystemFailure) -> Void
  /// Reserves disk space: an unnamed file of `byteCount` bytes that disappears when its descriptor
  /// is closed.
  package var reserve: @Sendable (_ path: String, _ byteCount: Int) throws(SystemFailure) -> Int32
  /// Closes a file, whose late write errors appear here on network disks.
  package var close: @Sendable (_ file: Int32) throws(SystemFailure) -> Void
  /// Renames a file unless the new name is taken.
  package var rename: @Sendable (_ path: String, _ new: String) throws(SystemFailure) -> Void
  /// Renames a file and replaces a file that has the new name.
  package var replace: @Sendable (_ path: String, _ new: String) throws(SystemFailure) -> Void
  /// Removes a file.
  package var remove: @Sendable (_ path: String) throws(SystemFailure) -> Void
  /// Waits until the names in a folder are on the disk.
  var synchronizeDirectory: @Sendable (_ path: String) throws(SystemFailure) -> Void
  /// Makes a folder.
  package var createDirectory: @Sendable (_ path: String) throws(SystemFailure) -> Void
  /// Removes an empty folder.
  package var removeDirectory: @Sendable (_ path: String) throws(SystemFailure) -> Void
  /// The kind of file at a path, after following symbolic links.
  package var kind: @Sendable (_ path: String) throws(SystemFailure) -> FileKind
  /// Renames a folder to a name that is free or belongs to an empty folder.
  package var renameFolder: @Sendable (_ path: String, _ new: String) throws(SystemFailure) -> Void
  /// Gives a file a second name (hard link); not every file system supports that.
  package var link: @Sendable (_ path: String, _ new: String) throws(SystemFailure) -> Void
  /// The names in a folder.
  package var entries: @Sendable (_ path: String) throws(SystemFailure) -> [String]
  /// Opens a folder or file and locks it against other processes until ``unlock`` or the end of this process.
  package var lock: @Sendable (_ path: String, _ waits: Bool) throws(SystemFailure) -> Int32
  /// Ends a lock and closes its descriptor.
  package var unlock: @Sendable (_ descriptor: Int32) -> Void
  /// Whether two paths name the same file.
  package var isSame: @Sendable (_ path: String, _ other: String) -> Bool
  /// Reads a file of at most `limit` bytes.
  package var read: @Sendable (_ path: String, _ limit: Int) throws(SystemFailure) -> [UInt8]

  /// The calls of this system.
  package static let system = FileOperations(
    create: { path throws(SystemFailure) in
      try check { open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o666) }
    },
    write: { file, bytes throws(SystemFailure) in
      // One call takes less than 2 GiB on every system.
      try check { PlumblineIO.write(file, bytes, limit: 1 << 30) }
    },
    synchronize: { file throws(SystemFailure) in try synchronizeFully(file) },
    synchronizeData: { file throws(SystemFailure) in
      #if canImport(Darwin)
        // `fsync` passes the bytes to the disk, whose own cache may lose them in a power failure; a
        // full synchronization every second would be too slow and is done once at the end.
        _ = try check { fsync(file) }
      #else
        _ = try check { fdatasync(file) }
      #endif
    },
    startWriting: { file, part in
      #if !canImport(Darwin)
        // Linux writes what it is about to drop from memory; see posix_fadvise(2).
        _ = posix_fadvise(
          file, off_t(part.lowerBound), off_t(part.count), POSIX_FADV_DONTNEED)
      #endif
    },
    truncate: { file, byteCount throws(SystemFailure) in
      _ = try check { ftruncate(file, off_t(byteCount)) }
      _ = try check { lseek(file, off_t(byteCount), SEEK_SET) }
    },
    reserve: { path, byteCount throws(SystemFailure) in try reserveRoom(path, byteCount) },
    close: { file throws(SystemFailure) in
      // The descriptor is gone even when `close` was interrupted: a retry could close another file.
      if PlumblineIO.close(file) != 0, errno != EINTR { throw SystemFailure(code: errno) }
    },
    rename: { path, new throws(SystemFailure) in try renameKeeping(path, new) },
    replace: { path, new throws(SystemFailure) in
      _ = try check { PlumblineIO.rename(path, new) }
    },
    remove: { path throws(SystemFailure) in _ = try check { unlink(path) } },
    synchronizeDirectory: { path throws(SystemFailure) in try synchronizeFolder(path) },
    createDirectory: { path throws(SystemFailure) in _ = try check { mkdir(path, 0o777) } },
    removeDirectory: { path throws(SystemFailure) in _ = try check { rmdir(path) } },
    kind: { path throws(SystemFailure) in try kindOfFile(path) },
    renameFolder: { path, new throws(SystemFailure) in
      _ = try check { PlumblineIO.rename(path, new) }
    },
    link: { path, new throws(SystemFailure) in _ = try check { addName(path, new) } },
    entries: { path throws(SystemFailure) in try entriesOfFolder(path) },
    lock: { path, waits throws(SystemFailure) in try lockEntry(path, waits: waits) },
    unlock: { descriptor in unlockEntry(descriptor) },
    isSame: { path, other in
      guard let first = FileIdentity(path: path) else { return false }
      return first == FileIdentity(path: other)
    },
    read: { path, limit throws(SystemFailure) in try readSmallFile(path, limit: limit) })

  /// The system calls for files that only this user may read: they create files with mode 0600 and
  /// folders with mode 0700.
  package static let systemPrivate: FileOperations = {
    var operations = FileOperations.system
    operations.create = { path throws(SystemFailure) in
      let file = try check {
        open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
      }
      // The process's umask does not matter.
      do throws(SystemFailure) { _ = try check { fchmod(file, 0o600) } } catch {
        _ = PlumblineIO.close(file)
        _ = unlink(path)
        throw error
      }
      return file
    }
    operations.createDirectory = { path throws(SystemFailure) in
      _ = try check { mkdir(path, 0o700) }
    }
    return operations
  }()
}

extension FileOperations {
  /// Writes all bytes, in as many system calls as needed.
  ///
  /// - Throws: The error of a failed call, or `.inputOutput` if a call writes nothing; the file may
  ///   then hold some of the bytes.
  package func writeAll(_ bytes: ArraySlice<UInt8>, to file: Int32) throws(SystemFailure) {
    var failure: SystemFailure?
    bytes.withUnsafeBytes { buffer in
      var rest = buffer[...]
      do throws(SystemFailure) {
        while !rest.isEmpty {
          let count = try write(file, UnsafeRawBufferPointer(rebasing: rest))
          guard count > 0 else { throw .inputOutput }
          rest = rest.dropFirst(count)
        }
      } catch { failure = error }
    }
    if let failure { throw failure }
  }
}

/// Repeats a call while it is interrupted, and throws its error.
private func check<Number: SignedInteger>(_ call: () -> Number) throws(SystemFailure) -> Number {
  while true {
    let result = call()
    if result >= 0 { return result }
    if errno != EINTR { throw SystemFailure(code: errno) }
  }
}

private func write(_ file: Int32, _ bytes: UnsafeRawBufferPointer, limit: Int) -> Int {
  write(file, bytes.baseAddress, min(bytes.count, limit))
}

private func close(_ file: Int32) -> Int32 {
  #if canImport(Glibc)
    Glibc.close(file)
  #elseif canImport(Musl)
    Musl.close(file)
  #else
    Darwin.close(file)
  #endif
}

private func rename(_ path: String, _ new: String) -> Int32 {
  #if canImport(Glibc)
    Glibc.rename(path, new)
  #elseif canImport(Musl)
    Musl.rename(path, new)
  #else
    Darwin.rename(path, new)
  #endif
}

private func addName(_ path: String, _ new: String) -> Int32 { link(path, new) }

/// Renames a file unless the new name is taken, in one atomic step where the system can.
private func renameKeeping(_ path: String, _ new: String) throws(SystemFailure) {
  #if canImport(Darwin)
    if renamex_np(path, new, UInt32(RENAME_EXCL)) == 0 { return }
    if errno != ENOTSUP { throw SystemFailure(code: errno) }
  #endif
  if link(path, new) == 0 {
    if unlink(path) == 0 { return }
    let failure = SystemFailure(code: errno)
    _ = unlink(new)
    throw failure
  }
  guard [EPERM, ENOTSUP, ENOSYS, EMLINK].contains(errno) else { throw SystemFailure(code: errno) }
  // FAT and some network file systems have no hard links: an empty file claims the name, which
  // fails if the name is taken, and the rename replaces that empty file.
  let claim = try check { open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o666) }
  _ = close(claim)
  do throws(SystemFailure) { _ = try check { rename(path, new) } } catch {
    _ = unlink(new)
    throw error
  }
}

/// Synchronizes a file to the medium; on Apple's systems `fsync` alone leaves bytes in the disk's
/// cache.
private func synchronizeFully(_ file: Int32) throws(SystemFailure) {
  #if canImport(Darwin)
    if fcntl(file, F_FULLFSYNC) == 0 { return }
  #endif
  _ = try check { fsync(file) }
}

private func reserveRoom(_ path: String, _ byteCount: Int) throws(SystemFailure) -> Int32 {
  let file = try check {
    open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
  }
  _ = unlink(path)
  do throws(SystemFailure) {
    #if canImport(Darwin)
      var store = fstore_t(
        fst_flags: UInt32(F_ALLOCATEALL), fst_posmode: F_PEOFPOSMODE, fst_offset: 0,
        fst_length: off_t(byteCount), fst_bytesalloc: 0)
      _ = try check { fcntl(file, F_PREALLOCATE, &store) }
    #else
      let code = posix_fallocate(file, 0, off_t(byteCount))
      if code != 0 { throw SystemFailure(code: code) }
    #endif
    return file
  } catch {
    _ = close(file)
    throw error
  }
}

private func synchronizeFolder(_ path: String) throws(SystemFailure) {
  let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
  // A folder that is writable but not readable cannot be opened, and some file systems cannot
  // synchronize a folder; only a real disk error is worth a failure.
  guard folder >= 0 else { return }
  let code = fsync(folder) == 0 ? 0 : errno
  _ = close(folder)
  if [EIO, ENOSPC, EDQUOT].contains(code) { throw SystemFailure(code: code) }
}

private func kindOfFile(_ path: String) throws(SystemFailure) -> FileKind {
  var status = stat()
  guard stat(path, &status) == 0 else {
    if errno == ENOENT { return .nothing }
    throw SystemFailure(code: errno)
  }
  switch status.st_mode & S_IFMT {
  case S_IFREG: return .file
  case S_IFDIR: return .directory
  default: return .other
  }
}
