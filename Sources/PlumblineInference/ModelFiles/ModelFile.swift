#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif
import PlumblineIO
/// A model file whose bytes are in memory.
///
/// It is read once, so that what was checked and what is run are the same bytes.
public struct ModelFile: Sendable {
  /// The most bytes that are read; Depth Pro in half floats has 1.9 GB.
  public static let maximumByteCount = 4 << 30

  /// The last part of the path, as it may be shown.
  public let name: String
  /// The whole file.
  public let bytes: [UInt8]

  /// Wraps bytes.
  public init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }

  /// Reads a regular file whole.
  ///
  /// - Throws: `.notInstalled` where there is none, `.failed` where it cannot be read, `.malformed` over
  ///   ``maximumByteCount``.
  public init(path: String) throws(InferenceError) {
    let name = printable(text: lastPathPart(path))
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      let number = errno
      throw InferenceError(
        number == ENOENT || number == ENOTDIR ? .notInstalled : .failed, name,
        expected: "a file that can be read", found: Self.reason(number))
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw InferenceError(
        .malformed, name, expected: "a file", found: "a folder, a pipe or a device")
    }
    FilesRead.current?.insert(descriptor: descriptor)
    let size = Int(status.st_size)
    guard size <= Self.maximumByteCount else {
      throw InferenceError(
        .malformed, name, expected: "at most \(Self.maximumByteCount) bytes", found: "\(size)")
    }
    var problem: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      while count < size {
        let got = read(descriptor, buffer.baseAddress.map { $0 + count }, size - count)
        if got < 0 && errno == EINTR { continue }
        if got < 0 { problem = errno }
        // A file that shrinks while it is read ends early; its reader then says where.
        if got <= 0 { break }
        count += got
      }
    }
    guard problem == 0 else {
      throw InferenceError(
        .failed, name, expected: "a file that can be read", found: Self.reason(problem))
    }
    self.init(name: name, bytes: bytes)
  }

  /// Whether there is a regular file of that name.
  static func isFile(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Whether everybody may change a file or a folder.
  static func isWritableByOthers(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IWOTH != 0
  }

  private static func reason(_ number: Int32) -> String {
    strerror(number).map { String(cString: $0) } ?? "error \(number)"
  }
}
