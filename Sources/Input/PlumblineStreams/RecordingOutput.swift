public import PlumblineIO
public import PlumblineModel

/// A new folder for a recording's files: on disk, in an archive or in memory.
public protocol RecordingOutput: Sendable {
  /// Creates a new file.
  ///
  /// The path has `/` between folders, which are created if needed.
  ///
  /// - Throws: `.output` if the name is taken or the file cannot be created.
  func makeFile(_ path: String) throws(RecordingWritingError) -> any RecordingFile
}

extension RecordingOutput {
  /// Writes a whole file.
  ///
  /// - Throws: As ``makeFile(_:)`` and ``RecordingFile`` do.
  public func write(_ bytes: [UInt8], to path: String) throws(RecordingWritingError) {
    let file = try makeFile(path)
    try file.append(bytes[...])
    try file.close()
  }
}

/// A file that is only appended to; used by one thread at a time.
public protocol RecordingFile: AnyObject {
  /// The number of bytes appended so far.
  var byteCount: Int { get }

  /// Appends all of the bytes, or throws.
  ///
  /// - Throws: `.output`, for example for a full disk. Bytes appended before stay, and later
  ///   appends either follow them or fail too.
  func append(_ bytes: ArraySlice<UInt8>) throws(RecordingWritingError)

  /// Waits until all appended bytes would survive a power failure.
  ///
  /// - Throws: `.output`; bytes appended since the last success may be lost.
  func synchronize() throws(RecordingWritingError)

  /// Closes the file; nothing may be appended afterwards.
  ///
  /// - Throws: `.output` if the system reports a late failure.
  func close() throws(RecordingWritingError)
}

/// Why a recording could not be written.
public enum RecordingWritingError: Error, Sendable, Hashable {
  /// The format cannot represent the data, for example a frame without intrinsics; `remedy` is what
  /// makes it representable, `nil` where nothing is known to.
  case unrepresentable(
    format: String, frame: String?, expected: String, found: String, remedy: Remedy? = nil)
  /// The file could not be created or written, as `reason` says; `obstacle` is the kind of file that
  /// has its name.
  case output(
    path: String, detail: String, reason: OutputError.Reason,
    obstacle: OutputError.Obstacle? = nil)
}

extension RecordingWritingError {
  /// The error for a recording without frames.
  package static func noFrames(_ format: String) -> RecordingWritingError {
    .unrepresentable(format: format, frame: nil, expected: "at least one frame", found: "none")
  }
}

extension RecordingWritingError: CustomStringConvertible {
  /// One sentence that is safe to print.
  public var description: String {
    switch self {
    case .unrepresentable(let format, let frame, let expected, let found, _):
      let place = frame.map { " at frame \(printable(text: $0))" } ?? ""
      return "cannot write \(format)\(place): expected \(expected), found \(found)"
    case .output(let path, let detail, _, _):
      return "cannot write \(printable(text: path)): \(detail)"
    }
  }
}
