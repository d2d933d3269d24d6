public import PlumblineImages
/// The endpoint for Foxglove and other clients of its protocol: `/foxglove`.
///
/// They get what recordings in MCAP hold, as it comes; `Documentation/formats/foxglove.md`. A frame is
/// decoded only while a client subscribes to something, and becomes messages of those topics alone. A
/// client that is slow misses frames; the source never waits.
public struct FoxgloveEndpoint: WebSocketEndpoint {
  /// `/foxglove`.
  public let path = "/foxglove"
  /// The protocol's own name, and the one that Foxglove's SDK uses for the same messages.
  ///
  /// - Source: `docs/spec.md` of github.com/foxglove/ws-protocol; `handshake.rs` of
  ///   github.com/foxglove/foxglove-sdk.
  public let subprotocols = ["foxglove.websocket.v1", "foxglove.sdk.v1"]
  /// A client subscribes some times when its panels change.
  public let messagesPerSecondLimit = 100.0
  /// ``ServerSettings/allowedOrigins``: Foxglove in a browser is a page of another site.
  public let allowedOrigins: Set<String>
  /// Foxglove has a field for an address, none for a header.
  public let takesTokenInQuery = true
  private let relay: FoxgloveRelay

  /// Shows what a hub shows.
  ///
  /// - Parameters:
  ///   - hub: Where frames come from.
  ///   - settings: Which origins may watch; those that are none are left out.
  ///   - limits: What may be spent on color that has to be decoded, and where that happens.
  public init(
    _ hub: LiveHub, settings: ServerSettings, limits: ReadingLimits = ReadingLimits()
  ) {
    relay = FoxgloveRelay(limits: limits)
    allowedOrigins = settings.allowedOrigins.filter { ServerSettings.isOrigin($0) }
    _ = hub.join(relay)
  }

  /// A client connects.
  public func open(_ connection: WebSocketConnection) -> any WebSocketReceiver {
    let client = FoxgloveClient(relay: relay, connection: connection)
    client.enter()
    return client
  }
}
