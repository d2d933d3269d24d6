public import PlumblineIO

/// An error of writing a photo: its kind, what was expected and what was found.
public enum PhotoWritingError: Error, Sendable, Hashable {
  /// The file that was to be changed cannot be read.
  case unreadable(CaptureReadingError)
  /// The format has no place for what it was given, such as an image of 70,000 pixels a side.
  case unrepresentable(format: String, place: String, expected: String, found: String)
  /// A program that codes images is absent or failed; `detail` says which and how.
  case encoder(String)
}

extension PhotoWritingError: CustomStringConvertible {
  /// One sentence that is safe to print.
  public var description: String {
    switch self {
    case .unreadable(let error): "\(error)"
    case .unrepresentable(let format, let place, let expected, let found):
      "cannot write \(format) at \(place): expected \(expected), found \(found)"
    case .encoder(let detail): "cannot code the image: \(detail)"
    }
  }
}
