import NIOCore
import NIOHTTP1
import NIOWebSocket

/// A place of a server where one can talk by WebSocket.
///
/// Access is checked before: Host, Origin, and the token beyond loopback.
public protocol WebSocketEndpoint: Sendable {
  /// The path, such as `/api/live`.
  var path: String { get }
  /// The subprotocols that it knows, best first; a client that offers none of them is refused. Empty
  /// for an endpoint without.
  var subprotocols: [String] { get }
  /// The largest message that a client may send, its fragments together, in bytes.
  var messageByteLimit: Int { get }
  /// The number of messages that a client may send each second; more end the connection.
  var messagesPerSecondLimit: Double { get }
  /// Origins besides the server's own whose pages may open it, such as `https://app.foxglove.dev`.
  var allowedOrigins: Set<String> { get }
  /// Whether the token may stand in the address (`?token=…`), for clients that can set no header.
  var takesTokenInQuery: Bool { get }
  /// The kind of its clients in the list of connected clients.
  var clientKind: ClientKind { get }
  /// How long a client may send nothing, not even the answer to a ping, in seconds; `nil` for what
  /// ``ServerSettings/pingSeconds`` allows.
  var silenceSeconds: Double? { get }

  /// A client has connected; called on the connection's own thread, which must not be held up.
  ///
  /// - Returns: What takes the client's messages.
  func open(_ connection: WebSocketConnection) -> any WebSocketReceiver
}

extension WebSocketEndpoint {
  /// None.
  public var subprotocols: [String] { [] }
  /// 64 KiB: room for text, none for frames.
  public var messageByteLimit: Int { 64 << 10 }
  /// 500.
  public var messagesPerSecondLimit: Double { 500 }
  /// None.
  public var allowedOrigins: Set<String> { [] }
  /// `false`.
  public var takesTokenInQuery: Bool { false }
  /// ``ClientKind/program``.
  public var clientKind: ClientKind { .program }
  /// `nil`.
  public var silenceSeconds: Double? { nil }
}

/// Takes what one client sends; each call comes from the connection's own thread, one after the other,
/// and must not be held up.
public protocol WebSocketReceiver: AnyObject, Sendable {
  /// A binary message begins; asked before any of it is kept.
  ///
  /// - Returns: `false` where none is wanted; the receiver has then ended the connection.
  func binaryBegins() -> Bool
  /// A whole text message, sound UTF-8.
  func received(text: String)
  /// A whole binary message.
  func received(binary: [UInt8])
  /// Everything that was sent has been taken by the system.
  func drained()
  /// The connection is over; nothing comes after it.
  func closed()
}

extension WebSocketReceiver {
  /// `true`.
  public func binaryBegins() -> Bool { true }
  /// Does nothing.
  public func drained() {}
  /// Does nothing.
  public func closed() {}
}

/// Turns a request into a WebSocket, where the site has one for this client.
///
/// NIO's upgrader makes the handshake; the pipeline is made here, since each endpoint takes messages of
/// another size, and NIO's has one for all.
final class WebSocketUpgrade: HTTPServerProtocolUpgrader, Sendable {
  private struct NoEndpoint: Error {}

  let supportedProtocol = "websocket"
  let requiredUpgradeHeaders: [String] = []

  private let site: ServedSite
  /// Of the connection.
  private let number: Int
  private let handshake: NIOWebSocketServerUpgrader
  /// Removes what speaks HTTP.
  private let leaveHTTP: @Sendable (any Channel) -> EventLoopFuture<Void>

  init(
    site: ServedSite, number: Int,
    leaveHTTP: @escaping @Sendable (any Channel) -> EventLoopFuture<Void>
  ) {
    self.site = site
    self.number = number
    self.leaveHTTP = leaveHTTP
    handshake = NIOWebSocketServerUpgrader(
      shouldUpgrade: { channel, head in
        let found = site.webSocket(for: head, port: channel.localAddress?.port ?? 0)
        var headers = HTTPHeaders()
        if let name = found?.subprotocol {
          headers.add(name: "Sec-WebSocket-Protocol", value: name)
        }
        return channel.eventLoop.makeSucceededFuture(found == nil ? nil : headers)
      },
      upgradePipelineHandler: { channel, _ in channel.eventLoop.makeSucceededVoidFuture() })
  }

  func buildUpgradeResponse(
    channel: any Channel, upgradeRequest: HTTPRequestHead, initialResponseHeaders: HTTPHeaders
  ) -> EventLoopFuture<HTTPHeaders> {
    handshake.buildUpgradeResponse(
      channel: channel, upgradeRequest: upgradeRequest,
      initialResponseHeaders: initialResponseHeaders)
  }

  func upgrade(
    context: ChannelHandlerContext, upgradeRequest: HTTPRequestHead
  ) -> EventLoopFuture<Void> {
    let channel = context.channel
    let port = channel.localAddress?.port ?? 0
    guard let (endpoint, subprotocol) = site.webSocket(for: upgradeRequest, port: port) else {
      return channel.eventLoop.makeFailedFuture(NoEndpoint())
    }
    // Where silence has a limit of its own, it is checked ten times within it.
    let pingSeconds = endpoint.silenceSeconds.map { $0 / 10 } ?? site.settings.pingSeconds
    let unfinished = site.unfinished
    let (site, number) = (site, number)
    let session = site.authorizer.session(of: upgradeRequest, port: port)
    return leaveHTTP(channel).flatMapThrowing {
      let pipeline = channel.pipeline.syncOperations
      let byteLimit = endpoint.messageByteLimit
      let messages = WebSocketMessages(
        connection: WebSocketConnection(channel: channel, subprotocol: subprotocol),
        endpoint: endpoint, pingSeconds: pingSeconds)
      try pipeline.addHandlers([
        WebSocketFrameEncoder(),
        FrameGuard(messages: messages, unfinished: unfinished, byteLimit: byteLimit),
        ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: byteLimit)), messages,
      ])
      site.registry.set(number, kind: endpoint.clientKind, isWebSocket: true, session: session)
      if let session, let secrets = site.authorizer.secrets {
        secrets.count(socketsOf: session, by: 1)
        channel.closeFuture.whenComplete { _ in secrets.count(socketsOf: session, by: -1) }
      }
      // A client whose access ended meanwhile is not let in.
      if site.webSocket(for: upgradeRequest, port: port) == nil {
        channel.pipeline.fireUserInboundEventTriggered(ClientEnding())
      }
    }
  }
}
