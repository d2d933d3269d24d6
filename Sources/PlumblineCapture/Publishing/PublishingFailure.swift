/// An error that ends a stream for good.
public enum PublishingFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// No connection, and another attempt would end in the same way.
  case connection(StreamTransportError)
  /// The server refused what was sent; a code of `Documentation/formats/stream.md` and its words.
  case refused(code: String, message: String)

  /// One sentence.
  public var description: String {
    switch self {
    case .connection(let error): error.description
    case .refused("schema", let message): "the server speaks another version: \(message)"
    case .refused(let code, let message): "the server refused the stream (\(code)): \(message)"
    }
  }
}
