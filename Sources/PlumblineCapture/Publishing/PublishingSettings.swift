/// The limits and waiting times of a stream.
public struct PublishingSettings: Hashable, Sendable {
  /// The most frames that are kept until the server has acknowledged them.
  public var keptFrames = 300
  /// No frame is taken while so many bytes are kept.
  public var keptBytes = 64 << 20
  /// The most frames that wait for the network while it is there.
  ///
  /// What comes meanwhile is lost by the stream, and what arrives is recent. Not applied while frames are
  /// sent again.
  public var waitingFrames = 2
  /// The longest silence of a server, which requests the clock each second, in seconds.
  public var silenceSeconds = 10.0
  /// The longest time without progress after the source's end, while all is sent and acknowledged, in
  /// seconds.
  public var farewellSeconds = 15.0
  /// The waiting time between attempts to connect.
  public var backoff = ReconnectBackoff()

  /// Creates settings.
  public init() {}
}
