/// Where a server listens and what it bears.
///
/// - Source: of every limit: section *Who may look* of `Documentation/serve.md`.
public struct ServerSettings: Hashable, Sendable {
  /// The address to listen at; beyond loopback a token is required.
  public var host = "127.0.0.1"
  /// The port; 0 lets the system choose.
  public var port = 0
  /// The largest message that a publisher may send, in bytes.
  public var messageByteLimit = 64 << 20
  /// How long a request may take to arrive, from its first byte to the end of its headers, in seconds.
  public var headerSeconds = 5.0
  /// How long a connection may stay without a request, in seconds.
  public var idleSeconds = 30.0
  /// The number of connections at a time.
  public var connectionLimit = 1024
  /// The number of frames that one publisher may send each second.
  public var framesPerSecondLimit = 240.0

  /// Creates settings: loopback alone, at a port that the system chooses.
  public init() {}
}
