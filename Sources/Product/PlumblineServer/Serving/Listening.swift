import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Opens the sockets of a server.
struct Listening {
  let pipeline: ConnectionPipeline
  let group: MultiThreadedEventLoopGroup

  /// How often another port is tried where the system's choice for one address is taken at the other.
  private static let attempts = 8

  /// Loopback is both 127.0.0.1 and ::1, so that no other program of this machine can pose as this
  /// server at the one that `localhost` happens to mean.
  func listen(_ settings: ServerSettings) async throws(ServerError) -> [any Channel] {
    guard settings.isLoopback else { return [try await bind(settings.host, settings.port)] }
    for _ in 0..<Self.attempts {
      let first = try await bind("127.0.0.1", settings.port)
      let port = first.localAddress?.port ?? settings.port
      do {
        return [first, try await channel("::1", port)]
      } catch let error as IOError where [EADDRINUSE, EACCES].contains(error.errnoCode) {
        try? await first.close()
        guard settings.port == 0 else {
          throw .notListening(host: "::1", port: port, detail: detail(error))
        }
      } catch {
        // A machine without IPv6.
        return [first]
      }
    }
    throw .notListening(host: "::1", port: 0, detail: "no port is free at both 127.0.0.1 and ::1")
  }

  private func bind(_ host: String, _ port: Int) async throws(ServerError) -> any Channel {
    do {
      return try await channel(host, port)
    } catch {
      throw .notListening(host: host, port: port, detail: detail(error))
    }
  }

  private func channel(_ host: String, _ port: Int) async throws -> any Channel {
    let pipeline = pipeline
    return try await ServerBootstrap(group: group)
      .serverChannelOption(.backlog, value: 256)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelInitializer { pipeline.configure($0) }
      .bind(host: host, port: port).get()
  }

  private func detail(_ error: any Error) -> String {
    if let error = error as? SocketAddressError.UnknownHost { return error.errorDescription }
    guard let error = error as? IOError else { return "\(error)" }
    return String(cString: strerror(error.errnoCode))
  }
}

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
