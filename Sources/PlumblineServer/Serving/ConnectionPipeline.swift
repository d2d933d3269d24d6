internal import NIOCore
internal import NIOHTTP1
internal import NIOSSL

/// Builds what stands between a socket and the site.
struct ConnectionPipeline: Sendable {
  let site: ServedSite
  let encryption: NIOSSLContext?

  func configure(_ channel: any Channel) -> EventLoopFuture<Void> {
    channel.eventLoop.makeCompletedFuture {
      guard let number = site.registry.admit(channel) else {
        try channel.pipeline.syncOperations.addHandler(FullHouse())
        return
      }
      try addHandlers(channel, number: number)
    }
  }

  private func addHandlers(_ channel: any Channel, number: Int) throws {
    let pipeline = channel.pipeline.syncOperations
    if let encryption { try pipeline.addHandler(NIOSSLServerHandler(context: encryption)) }
    let settings = site.settings
    let deadlines = ConnectionDeadlines(
      settings: settings, registry: site.registry, number: number)
    try pipeline.addHandlers([StalledClient(seconds: settings.stallSeconds), deadlines])

    let encoder = HTTPResponseEncoder()
    var limits = NIOHTTPDecoderLimitConfiguration()
    limits.maxHeaderFieldSize = settings.headerByteLimit
    let decoder = ByteToMessageHandler(
      HTTPRequestDecoder(leftOverBytesStrategy: .forwardBytes, limitConfiguration: limits))
    let order = HTTPServerPipelineHandler()
    let errors = HTTPServerProtocolErrorHandler()
    let exchange = HTTPExchange(site: site, deadlines: deadlines, number: number)
    let ending = NIOLoopBound((exchange, deadlines), eventLoop: channel.eventLoop)
    let upgrade = HTTPServerUpgradeHandler(
      upgraders: [
        WebSocketUpgrade(site: site, number: number) { channel in
          let (exchange, deadlines) = ending.value
          deadlines.upgraded()
          return channel.pipeline.syncOperations.removeHandler(exchange)
        }
      ],
      httpEncoder: encoder, extraHTTPHandlers: [decoder, order, errors],
      upgradeCompletionHandler: { _ in })
    try pipeline.addHandlers([encoder, decoder, order, errors, upgrade, exchange])
  }
}

/// Says that there are too many connections, and ends this one.
private final class FullHouse: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  func channelActive(context: ChannelHandlerContext) {
    let bound = context.loopBound
    context.writeAndFlush(Self.wrapOutboundOut(.refusal("429 Too Many Requests")))
      .whenComplete { _ in bound.value.close(promise: nil) }
  }
}
