/// An error when a server cannot start.
public enum ServerError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The address or port cannot be listened at.
  case notListening(host: String, port: Int, detail: String)
  /// There is no certificate, or no key to it, that could be used.
  case certificate(detail: String)
  /// What is kept between starts cannot be changed.
  case state(detail: String)

  /// One sentence.
  public var description: String {
    switch self {
    case .notListening(let host, let port, let detail):
      "cannot listen at \(host), port \(port): \(detail)"
    case .certificate(let detail): "no certificate for https: \(detail)"
    case .state(let detail): "what was given out cannot be made void: \(detail)"
    }
  }
}
