/// The address of a server and its limits.
///
/// - Source: of every limit: section *Limits* of `Documentation/serve.md`.
public struct ServerSettings: Hashable, Sendable {
  /// The address to listen at; beyond loopback a token is required.
  public var host = "127.0.0.1"
  /// The port; 0 lets the system choose.
  public var port = 0
  /// Names and addresses besides ``host`` by which browsers may request this server, such as
  /// `desk.local`; each one satisfies ``isHostName(_:)``, and others are left out.
  public var hostNames: [String] = []
  /// Other sites whose pages may watch by WebSockets that are made for that (``FoxgloveEndpoint``), such
  /// as `https://app.foxglove.dev`; each one satisfies ``isOrigin(_:)``.
  public var allowedOrigins: Set<String> = []
  /// Whether a token is required on loopback too.
  public var requiresToken = false
  /// The encryption of connections, if any.
  public var encryption = ServerEncryption.none
  /// The largest message that a remote camera may send, in bytes.
  public var messageByteLimit = 64 << 20
  /// The maximum size of a request's line and headers, in bytes.
  public var headerByteLimit = 16 << 10
  /// How long a request may take to arrive, from its first byte to the end of its headers, in seconds.
  public var headerSeconds = 5.0
  /// How long the body of a request may take after its headers, in seconds.
  public var bodySeconds = 5.0
  /// The time limit of a connection without a request, in seconds.
  public var idleSeconds = 30.0
  /// How long a client may accept none of the data that waits for it, in seconds.
  public var stallSeconds = 10.0
  /// The time between two pings of a WebSocket, which is also the time limit of their answers, in seconds.
  public var pingSeconds = 15.0
  /// The number of connections at a time.
  public var connectionLimit = 1024
  /// The number of connections at a time from one address beyond this machine.
  public var connectionLimitPerPeer = 64
  /// The number of connections at a time from this machine itself, whose programs share an address.
  public var connectionLimitOfLoopback = 640
  /// How long a login lasts without a request or an open WebSocket, in seconds.
  public var sessionIdleSeconds = 12 * 3600.0
  /// The maximum number of responses of ``ViewServer``'s content that are made at the same time; content
  /// may have lower limits of its own.
  public var responseLimit = 4
  /// The maximum size of such responses that clients have not taken yet, in bytes; no further one is made
  /// beyond it.
  public var responseByteLimit = 256 << 20
  /// The number of frames that one remote camera may send each second.
  public var framesPerSecondLimit = 240.0
  /// The number of remote cameras at a time.
  public var remoteCameraLimit = 8
  /// The maximum size of incomplete messages of all WebSockets together, in bytes; beyond it, the connection
  /// with the most of them is ended.
  public var unfinishedByteLimit = 256 << 20
  /// How long a remote camera whose connection broke may resume, in seconds.
  public var resumeSeconds = 30.0
  /// How long the slot of such a remote camera is reserved while others want one, in seconds.
  public var placeSeconds = 5.0
  /// How long a remote camera may send nothing, not even the answer to a ping, until it counts as gone, in
  /// seconds.
  public var silenceSeconds = 5.0

  /// Creates settings: loopback alone, at a port that the system chooses.
  public init() {}

  /// Whether a text can stand for a host in the address of a page: letters, digits, `-`, `.` and `_`,
  /// or an IPv6 address without brackets.
  ///
  /// A name in other letters is meant in its ASCII form (`xn--…`), as browsers send it.
  /// - Source: WHATWG URL, *host parsing*; 253 bytes: RFC 1035, 2.3.4.
  public static func isHostName(_ text: String) -> Bool {
    guard (1...253).contains(text.utf8.count) else { return false }
    if text.contains(":") { return !text.contains("%") && HostNames.isAddress(text) }
    return text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
      case UInt8(ascii: "0")...UInt8(ascii: "9"): true
      default: "-._".utf8.contains(byte)
      }
    }
  }

  /// Whether a text names the origin of pages as browsers send it: a scheme and a host, in lower case,
  /// with a port unless it is the scheme's default, and nothing after that; or `file://`.
  ///
  /// `null` is refused: pages of every site can send it, from a sandboxed frame.
  /// - Source: RFC 6454, 6.2 and 7.1.
  public static func isOrigin(_ text: String) -> Bool {
    if text == "file://" { return true }
    for scheme in ["https://", "http://"] where text.hasPrefix(scheme) {
      let host = text.utf8.dropFirst(scheme.utf8.count)
      return !host.isEmpty
        && host.allSatisfy { byte in
          switch byte {
          case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
          default: "-.:[]".utf8.contains(byte)
          }
        }
    }
    return false
  }

  /// Whether only this machine can connect.
  public var isLoopback: Bool { ["127.0.0.1", "::1", "localhost"].contains(host) }
}

/// The encryption of connections.
public enum ServerEncryption: Hashable, Sendable {
  /// Not at all: HTTP.
  case none
  /// TLS with a certificate chain and its key, both PEM, at these paths.
  case files(certificate: String, key: String)
  /// TLS with a certificate that signs itself, made by the program `openssl`; it ends with the server.
  case madeOnTheSpot
  /// TLS with a certificate that signs itself, made by the program `openssl` where ``ServerState`` keeps
  /// none that serves.
  case selfSigned(keptIn: ServerState)
}
