public import PlumblineIO

/// A new folder that a writer of recordings fills; the disk, an archive or memory.
public protocol RecordingOutput: Sendable {
  /// Makes a file that did not exist.
  ///
  /// The path has `/` between folders, which are made when needed.
  ///
  /// - Throws: `.output` when something has the name or nothing can be made there.
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

/// A file that grows at its end; used by one thread at a time.
public protocol RecordingFile: AnyObject {
  /// The number of bytes appended so far.
  var byteCount: Int { get }

  /// Hands bytes to the system; either all of them count or an error says why not.
  ///
  /// - Throws: `.output`, such as for a full disk; what was appended before stays, and what is
  ///   appended later either follows it or fails as well.
  func append(_ bytes: ArraySlice<UInt8>) throws(RecordingWritingError)

  /// Waits until all that was appended would survive a power cut.
  ///
  /// - Throws: `.output`; what was appended since the last success may be lost.
  func synchronize() throws(RecordingWritingError)

  /// Ends the file; nothing may be appended afterwards.
  ///
  /// - Throws: `.output`, where the system reports a late failure.
  func close() throws(RecordingWritingError)
}

/// Why a recording could not be written.
public enum RecordingWritingError: Error, Sendable, Hashable {
  /// The format has no place for what it was given, such as a frame without the camera's numbers.
  case unrepresentable(format: String, frame: String?, expected: String, found: String)
  /// The file could not be made or, where `isCreation` is `false`, written; `obstacle` is what has its
  /// name.
  case output(
    path: String, detail: String, isCreation: Bool, obstacle: OutputError.Obstacle? = nil)
}

extension RecordingWritingError {
  /// The error of a recording that ends without any frame.
  package static func noFrames(_ format: String) -> RecordingWritingError {
    .unrepresentable(format: format, frame: nil, expected: "at least one frame", found: "none")
  }
}

extension RecordingWritingError: CustomStringConvertible {
  /// One sentence that is safe to print.
  public var description: String {
    switch self {
    case .unrepresentable(let format, let frame, let expected, let found):
      let place = frame.map { " at frame \(printable(text: $0))" } ?? ""
      return "cannot write \(format)\(place): expected \(expected), found \(found)"
    case .output(let path, let detail, _, _):
      return "cannot write \(printable(text: path)): \(detail)"
    }
  }
}
