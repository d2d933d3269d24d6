internal import NIOCore
internal import NIOHTTP1
internal import NIOWebSocket

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
    let session = site.gate.session(of: upgradeRequest, port: port)
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
      if let session, let secrets = site.gate.secrets {
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
