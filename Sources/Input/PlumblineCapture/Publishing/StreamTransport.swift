import PlumblineIO

/// Opens connections to a server with the platform's WebSocket.
public protocol StreamConnector: Sendable {
  /// Connects to a server. The token of the link is sent as `Authorization: Bearer …`, and only if
  /// the server has the certificate named in the link, or one that the system trusts.
  ///
  /// - Throws: ``StreamTransportError``.
  func connect(to link: StreamLink) async throws(StreamTransportError) -> any StreamTransport
}

/// One WebSocket connection to a server.
///
/// ``close()`` and a close by the other side end all waiting calls with an error.
public protocol StreamTransport: Sendable {
  /// Sends a message and returns when the system has accepted all of it, so that the caller waits
  /// for a slow network.
  func send(_ message: StreamTransportMessage) async throws(StreamTransportError)

  /// Waits for the next message; one caller at a time.
  func receive() async throws(StreamTransportError) -> StreamTransportMessage

  /// Closes the connection at once; a second call has no effect.
  func close()
}

/// A message of a WebSocket.
public enum StreamTransportMessage: Hashable, Sendable {
  /// A text message in UTF-8.
  case text([UInt8])
  /// A binary message with a frame.
  case binary([UInt8])
}

/// Why there is no connection, or no connection any more.
public enum StreamTransportError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The server was not reached, or the responding program does not speak the protocol.
  case unreachable(String)
  /// The server refused the connection with an HTTP status.
  case refused(status: Int)
  /// The server's certificate is not trusted; a person can compare its fingerprint.
  case untrusted(CertificateFingerprint)
  /// The server's certificate differs from the one in the link: the connection may be intercepted.
  case otherCertificate(expected: CertificateFingerprint, found: CertificateFingerprint)
  /// The connection was closed; the code of RFC 6455, 7.4, if the server sent one.
  case closed(code: Int?, reason: String)

  /// Whether another attempt may succeed.
  package var isPassing: Bool {
    switch self {
    case .unreachable, .closed: true
    // 408 and 429 are temporary, and 5xx may be fixed at the server.
    case .refused(let status): status == 408 || status == 429 || status >= 500
    case .untrusted, .otherCertificate: false
    }
  }

  /// One sentence, with a remedy if one is known.
  public var description: String {
    switch self {
    case .unreachable(let detail): "the server is not reached: \(detail)"
    case .refused(401): "the server wants another token: take the link that it printed last"
    case .refused(404): "this server takes no cameras: it has to be started for a phone"
    case .refused(421):
      "the server does not know itself by this name: it has to be started with it"
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

/// The SHA-256 of a TLS certificate, which identifies a self-signed certificate.
///
/// - Source: as shown by browsers and `openssl x509 -fingerprint -sha256`: over the certificate in
///   DER.
public struct CertificateFingerprint: Hashable, Sendable, CustomStringConvertible {
  /// 64 lowercase hexadecimal digits.
  public let hexadecimal: String

  /// The fingerprint of a certificate; O(*n*).
  ///
  /// - Parameter certificate: The certificate in DER.
  package init(of certificate: some Sequence<UInt8>) {
    hexadecimal = SHA256Digest.hexadecimal(of: certificate)
  }

  /// Parses a fingerprint: 64 hexadecimal digits in any case, with or without colons between bytes.
  ///
  /// - Returns: `nil` for anything else.
  package init?(_ text: some StringProtocol) {
    guard text.utf8.count <= 95 else { return nil }
    let digits = text.utf8.filter { $0 != UInt8(ascii: ":") }
    let isHexadecimal = digits.allSatisfy {
      switch $0 {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
      case UInt8(ascii: "A")...UInt8(ascii: "F"): true
      default: false
      }
    }
    guard digits.count == 64, isHexadecimal else { return nil }
    hexadecimal = String(decoding: digits, as: UTF8.self).lowercased()
  }

  /// Groups of four digits, for comparison by people.
  public var description: String {
    let digits = Array(hexadecimal)
    return stride(from: 0, to: digits.count, by: 4)
      .map { String(digits[$0..<min($0 + 4, digits.count)]) }.joined(separator: " ")
  }
}
