import PlumblineIO

/// Why a recording could not be written.
public enum RecordingWritingError: Error, Sendable, Hashable {
  /// The format has no place for what it was given, such as a frame without the camera's numbers.
  case unrepresentable(format: String, frame: String?, expected: String, found: String)
  /// The file could not be made or written; `isCreation` separates exit codes 73 and 74.
  case output(path: String, detail: String, isCreation: Bool)
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
    case .output(let path, let detail, _):
      return "cannot write \(printable(text: path)): \(detail)"
    }
  }
}
