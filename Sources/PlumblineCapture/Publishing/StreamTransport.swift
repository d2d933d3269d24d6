/// Opens connections to a server; the platform's WebSocket.
public protocol StreamConnector: Sendable {
  /// Connects; the token of the link goes along as `Authorization: Bearer …`, and only to a server whose
  /// certificate is the one that the link names, or one that the system believes.
  ///
  /// - Throws: ``StreamTransportError``.
  func connect(to link: StreamLink) async throws(StreamTransportError) -> any StreamTransport
}

/// One WebSocket connection to a server.
///
/// ``close()`` and the end of the other side end all waiting calls, with an error.
public protocol StreamTransport: Sendable {
  /// Sends a message; returns when the system has taken all of it, so that its caller waits for a
  /// slow network.
  func send(_ message: StreamTransportMessage) async throws(StreamTransportError)

  /// The next message; one caller at a time.
  func receive() async throws(StreamTransportError) -> StreamTransportMessage

  /// Ends the connection at once; without effect the second time.
  func close()
}

/// A message of a WebSocket.
public enum StreamTransportMessage: Hashable, Sendable {
  /// UTF-8.
  case text([UInt8])
  /// A frame.
  case binary([UInt8])
}

/// An error when there is no connection, or none any more.
public enum StreamTransportError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The server was not reached, or what answered does not speak its language.
  case unreachable(String)
  /// The server refused by a status of HTTP.
  case refused(status: Int)
  /// Nothing vouches for the server's certificate; a person may compare its fingerprint.
  case untrusted(CertificateFingerprint)
  /// The server has another certificate than the link says: the connection may be intercepted.
  case otherCertificate(expected: CertificateFingerprint, found: CertificateFingerprint)
  /// The connection is over; the code of RFC 6455, 7.4, where the server gave one.
  case closed(code: Int?, reason: String)

  /// Whether another attempt can end differently.
  public var isPassing: Bool {
    switch self {
    case .unreachable, .closed: true
    // 408 and 429 are about now, 5xx about a server that may get well.
    case .refused(let status): status == 408 || status == 429 || status >= 500
    case .untrusted, .otherCertificate: false
    }
  }

  /// One sentence, and what to do where that is known.
  public var description: String {
    switch self {
    case .unreachable(let detail): "the server is not reached: \(detail)"
    case .refused(401): "the server wants another token: take the link that it printed last"
    case .refused(404): "this server takes no cameras: start it with --source phone"
    case .refused(421): "the server does not know itself by this name: start it with --name"
    case .refused(let status): "the server refused with status \(status)"
    case .untrusted(let fingerprint):
      "nothing vouches for the server's certificate; its fingerprint is \(fingerprint)"
    case .otherCertificate(let expected, let found):
      "the server's certificate is not the one of the link: \(found) instead of \(expected); "
        + "take the link that it printed last, and trust no other"
    case .closed(let code, let reason):
      "the connection ended"
        + (code.map { " with \($0)" } ?? "") + (reason.isEmpty ? "" : ": \(reason)")
    }
  }
}
