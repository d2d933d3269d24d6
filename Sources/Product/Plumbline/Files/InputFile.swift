#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif
import PlumblineExport
public import PlumblineImages
import PlumblineIO
/// An error when a file cannot be opened or read.
public enum InputError: Error, Sendable, Hashable {
  /// There is no file of that name; exit code 66.
  case notFound(path: String)
  /// It is not a regular file but what `kind` says, such as `a pipe`; exit code 65.
  case notAFile(path: String, kind: String)
  /// It is one capture where a recording is needed; exit code 65.
  case notARecording(path: String)
  /// It is not a folder, but a file where a folder of frames is needed; exit code 65.
  case notAFolder(path: String)
  /// It exists but cannot be read; exit code 66 for a lack of permission, else 74.
  case unreadable(path: String, reason: String, isPermission: Bool)
  /// It is larger than the limit; exit code 65.
  case tooLarge(path: String, bytes: Int, limit: Int)
  /// A killed run left the folder's files half replaced; exit code 65.
  case unfinishedSet(folder: String)
  /// The folder holds more files than the limit; exit code 65.
  case tooManyFiles(path: String, limit: Int)
}

extension InputError: CustomStringConvertible {
  /// One sentence with the escaped path.
  public var description: String {
    switch self {
    case .notFound(let path): "there is no file \(printable(text: path))"
    case .notAFile(let path, let kind):
      "expected a file, found \(kind): \(printable(text: path)) is not a file"
    case .notARecording(let path):
      "expected a recording (a folder of frames, .r3d, .zip, .mcap or .bag), found one file: "
        + "\(printable(text: path)) is not a recording"
    case .notAFolder(let path):
      "expected a folder of frames, found a file: \(printable(text: path)) is not a folder"
    case .unreadable(let path, let reason, _): "\(printable(text: path)) cannot be read: \(reason)"
    case .tooLarge(let path, let bytes, let limit):
      "over a limit: expected at most \(limit) bytes of file, found \(bytes) in "
        + printable(text: path)
    case .unfinishedSet(let folder):
      "expected files that belong together, found a set that an interrupted run left half replaced "
        + "in \(printable(text: folder)): the same command again, or any output to that folder, "
        + "completes it"
    case .tooManyFiles(let path, let limit):
      "over a limit: expected at most \(limit) files of a folder, found more in "
        + printable(text: path)
    }
  }
}

/// A file as it is read for a command: its path and all its bytes.
public struct InputFile: Sendable {
  /// The path as given.
  public var path: String
  /// The whole file.
  public var bytes: [UInt8]

  /// Reads a regular file whole; its size is checked before anything is allocated.
  ///
  /// - Throws: ``InputError``. Cost: O(*n*).
  public init(path: String, limits: ReadingLimits = ReadingLimits()) throws(InputError) {
    try self.init(path: path, limits: limits, firstBytes: nil)
  }

  /// Reads a regular file, or no more than its first bytes, for which no limit of size holds.
  init(
    path: String, limits: ReadingLimits, firstBytes: Int?, bounds: FolderBounds? = nil
  ) throws(InputError) {
    let (descriptor, bytesOfFile) = try Self.opened(path, bounds: bounds)
    defer { close(descriptor) }
    let size = min(bytesOfFile, firstBytes ?? .max)
    guard size <= limits.fileBytes else {
      throw .tooLarge(path: path, bytes: size, limit: limits.fileBytes)
    }
    var failed = false
    bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      while count < size {
        let got = read(descriptor, buffer.baseAddress.map { $0 + count }, size - count)
        if got < 0 && errno == EINTR { continue }
        failed = got < 0
        // A file that shrinks while it is read ends early; the reader then says where.
        if got <= 0 { break }
        count += got
      }
    }
    if failed { throw Self.failure(path) }
    self.path = path
  }

  /// Opens a regular file for reading, and returns its size; never waits for the other end of a pipe.
  ///
  /// - Throws: ``InputError``; `.unreadable` for a file that is not one of the bounds' folder, of which
  ///   nothing is read.
  static func opened(
    _ path: String, bounds: FolderBounds? = nil
  ) throws(InputError) -> (descriptor: Int32, byteCount: Int) {
    var status = stat()
    // Examined first, since opening a device can do something, and a socket cannot be opened.
    if stat(path, &status) == 0, let kind = kindOfNoFile(status.st_mode) {
      throw .notAFile(path: path, kind: kind)
    }
    let folder = pathParts(path).dropLast().map { $0 + "/" }.joined()
    if access(folder + UnfinishedSet.name, F_OK) == 0 {
      throw .unfinishedSet(folder: folder.isEmpty ? "." : folder)
    }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw failure(path) }
    guard fstat(descriptor, &status) == 0 else {
      let error = failure(path)
      close(descriptor)
      throw error
    }
    // Once more, since something else may have taken the name.
    if let kind = kindOfNoFile(status.st_mode) {
      close(descriptor)
      throw .notAFile(path: path, kind: kind)
    }
    if let bounds, !bounds.holds(descriptor, openedAs: path) {
      close(descriptor)
      throw .unreadable(path: path, reason: "it leads out of the folder", isPermission: true)
    }
    FilesRead.current?.insert(descriptor: descriptor)
    return (descriptor, Int(status.st_size))
  }

  /// What something is that is no regular file, with its article; `nil` for a regular file.
  private static func kindOfNoFile(_ mode: mode_t) -> String? {
    switch mode & S_IFMT {
    case S_IFREG: nil
    case S_IFDIR: "a folder"
    case S_IFIFO: "a pipe"
    case S_IFSOCK: "a socket"
    default: "a device"
    }
  }

  /// The error of the last call that failed.
  static func failure(_ path: String) -> InputError {
    let number = errno
    if number == ENOENT || number == ENOTDIR { return .notFound(path: path) }
    let reason = strerror(number).map { String(cString: $0) } ?? "error \(number)"
    return .unreadable(path: path, reason: reason, isPermission: number == EACCES)
  }
}
