import PlumblineIO
/// The link that `plumbline serve` prints and shows as a QR code, with the address of the server
/// and the token that it requires.
///
/// `https://192.168.1.5:43817/#token=…&fp=…`: the token and the fingerprint of the server's
/// certificate follow `#`, so that they are not sent in requests and not logged. Other members
/// there are ignored.
public struct StreamLink: Hashable, Sendable {
  /// Whether the connection is encrypted.
  public let isEncrypted: Bool
  /// The host name or address; IPv6 without brackets.
  public let host: String
  /// The port, 1 to 65535.
  public let port: Int
  /// The token that the server requires; `nil` if it requires none.
  public let token: String?
  /// The only certificate to accept; `nil` to use the system's trust.
  public var fingerprint: CertificateFingerprint?

  /// The maximum length of a link in bytes.
  static let byteLimit = 2048
  private static let tokenByteLimit = 256

  /// Parses a link; white space around it is ignored.
  ///
  /// Text that could be misused is rejected: a user name, escapes in the host, and a token with
  /// bytes that would end a header line.
  /// - Throws: ``StreamLinkError`` with the invalid part.
  public init(_ text: String) throws(StreamLinkError) {
    guard text.utf8.count <= Self.byteLimit else {
      throw StreamLinkError(
        .length, expected: "at most \(Self.byteLimit) bytes", found: "\(text.utf8.count)")
    }
    let trimmed = text.split(whereSeparator: \.isWhitespace)
    guard trimmed.count == 1, let link = trimmed.first else {
      throw StreamLinkError(
        .scheme, expected: "one link", found: trimmed.isEmpty ? "nothing" : "several words")
    }
    guard let scheme = ["https://", "http://"].first(where: { link.lowercased().hasPrefix($0) })
    else {
      throw StreamLinkError(.scheme, expected: "https:// or http://", found: Self.quoted(link))
    }
    isEncrypted = scheme == "https://"
    let rest = link.dropFirst(scheme.count)
    let authority = rest.prefix { !"/?#".contains($0) }
    (host, port) = try Self.hostAndPort(authority, isEncrypted ? 443 : 80)
    let fragment = rest.firstIndex(of: "#").map { rest[rest.index(after: $0)...] } ?? ""
    let members = fragment.split(separator: "&")
    token = try Self.value("token", in: members).map { value throws(StreamLinkError) in
      guard (1...Self.tokenByteLimit).contains(value.utf8.count),
        value.utf8.allSatisfy(Self.isTokenByte)
      else {
        throw StreamLinkError(
          .token, expected: "letters and digits", found: "\(value.utf8.count) bytes")
      }
      return String(value)
    }
    fingerprint = try Self.value("fp", in: members).map { value throws(StreamLinkError) in
      guard let fingerprint = CertificateFingerprint(value) else {
        throw StreamLinkError(
          .fingerprint, expected: "64 hexadecimal digits", found: Self.quoted(value))
      }
      return fingerprint
    }
  }

  /// The authority part of a URL: IPv6 in brackets, and a port unless it is the scheme's default.
  package var authority: String {
    let written = host.contains(":") ? "[\(host)]" : host
    return port == (isEncrypted ? 443 : 80) ? written : "\(written):\(port)"
  }

  /// The URL for sending captures: `wss://192.168.1.5:43817/api/publish`.
  package var publishAddress: String {
    "\(isEncrypted ? "wss" : "ws")://\(authority)/api/publish"
  }

  private static func hostAndPort(
    _ authority: Substring, _ schemePort: Int
  ) throws(StreamLinkError) -> (String, Int) {
    var host = authority
    var port: Substring?
    if authority.first == "[" {
      guard let end = authority.firstIndex(of: "]") else {
        throw StreamLinkError(.host, expected: "an address in brackets", found: quoted(authority))
      }
      host = authority[..<end].dropFirst()
      let behind = authority[authority.index(after: end)...]
      guard behind.isEmpty || behind.first == ":" else {
        throw StreamLinkError(.port, expected: "a port after the address", found: quoted(behind))
      }
      port = behind.isEmpty ? nil : behind.dropFirst()
    } else if let colon = authority.firstIndex(of: ":") {
      (host, port) = (authority[..<colon], authority[authority.index(after: colon)...])
    }
    let isAddress = authority.first == "["
    guard (1...253).contains(host.utf8.count),
      host.utf8.allSatisfy({ isAddress ? isAddressByte($0) : isNameByte($0) })
    else {
      throw StreamLinkError(.host, expected: "a name or an address", found: quoted(host))
    }
    guard let port else { return (String(host), schemePort) }
    guard port.utf8.allSatisfy(isDigit), let number = Int(port), (1...65535).contains(number) else {
      throw StreamLinkError(.port, expected: "1 to 65535", found: quoted(port))
    }
    return (String(host), number)
  }

  /// The value of a member; `nil` if it is absent.
  private static func value(_ key: String, in members: [Substring]) -> Substring? {
    members.first { $0.hasPrefix(key + "=") }?.dropFirst(key.count + 1)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    default: isDigit(byte) || "-.".utf8.contains(byte)
    }
  }

  /// RFC 4291, 2.2; zone identifiers are rejected, since they are valid on one machine only.
  private static func isAddressByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"): true
    default: isDigit(byte) || ":.".utf8.contains(byte)
    }
  }

  /// RFC 6750, 2.1: the allowed characters of a bearer token.
  private static func isTokenByte(_ byte: UInt8) -> Bool {
    isNameByte(byte) || "_~+/=".utf8.contains(byte)
  }

  /// The start of a text, up to `=`: a garbled link may contain a token anywhere, but always after
  /// a `=`.
  private static func quoted(_ text: some StringProtocol) -> String {
    "“\(printable(text: text.prefix(12).prefix { $0 != "=" }))”"
  }
}

/// Why a text is not a link of `plumbline serve`.
public struct StreamLinkError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A part of a link.
  public enum Part: String, Sendable {
    /// The length of the whole link.
    case length
    /// The scheme, `https` or `http`.
    case scheme
    /// The host.
    case host
    /// The port, after the colon.
    case port
    /// The token, after `#token=`.
    case token
    /// The fingerprint, after `#fp=`.
    case fingerprint
  }

  /// The invalid part.
  public let part: Part
  /// What was expected.
  public let expected: String
  /// What was found there; never a token.
  public let found: String

  init(_ part: Part, expected: String, found: String) {
    (self.part, self.expected, self.found) = (part, expected, found)
  }

  /// One sentence.
  public var description: String {
    "this is no link of a Plumbline server: its \(part.rawValue) should be \(expected), not \(found)"
  }
}
