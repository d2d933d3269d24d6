internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL
internal import NIOWebSocket
public import PlumblineCapture
internal import Synchronization

/// Connections of a `StreamPublisher` by sockets, where there is no `URLSession`; on Linux.
public struct SocketStreamConnector: StreamConnector {
  private static let connectSeconds = 10.0
  /// What the system itself may hold back, in bytes.
  ///
  /// What waits there is as late as what waits here, and cannot be counted as lost: 20 ms of 100 Mbit/s.
  private static let sendBufferBytes = 256 << 10
  /// What a server sends at a time is 64 KiB of text at most.
  private static let messageByteLimit = 64 << 10

  /// Creates a connector.
  public init() {}

  /// Connects, checks the certificate, and requests the WebSocket of `/api/publish`.
  ///
  /// With a fingerprint in the link exactly that certificate is trusted, with any issuer; without,
  /// the system's authorities decide, and where they do not, the error names the fingerprint.
  /// The token goes out only after that.
  public func connect(
    to link: StreamLink
  ) async throws(StreamTransportError) -> any StreamTransport {
    let certificate = SeenCertificate()
    let status = SeenStatus()
    do {
      let tls = try link.isEncrypted ? TLS(link, certificate) : nil
      return try await open(link, tls, status)
    } catch {
      if let status = status.code.withLock({ $0 }) { throw .refused(status: status) }
      if link.isEncrypted { try await explain(link, certificate) }
      throw .unreachable("\(error)")
    }
  }

  private func open(
    _ link: StreamLink, _ tls: TLS?, _ status: SeenStatus
  ) async throws -> SocketStream {
    let result = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .connectTimeout(.of(seconds: Self.connectSeconds))
      .channelOption(.tcpOption(.tcp_nodelay), value: 1)
      .channelOption(.socketOption(.so_sndbuf), value: Self.sendBufferBytes)
      .connect(host: link.host, port: link.port) { channel in
        channel.eventLoop.makeCompletedFuture {
          if let tls { try channel.pipeline.syncOperations.addHandler(try tls.handler()) }
          return try Self.upgrade(channel, link, status)
        }
      }
    return try await result.get()
  }

  /// Looks at the certificate of a server that was not believed; nothing is sent to it.
  private func explain(
    _ link: StreamLink, _ certificate: SeenCertificate
  ) async throws(StreamTransportError) {
    if link.fingerprint == nil {
      var strict = link
      // No certificate has this fingerprint: the handshake ends when it was seen.
      strict.fingerprint = CertificateFingerprint(String(repeating: "0", count: 64))
      if let tls = try? TLS(strict, certificate) {
        _ = try? await open(strict, tls, SeenStatus())
      }
    }
    guard let found = certificate.fingerprint.withLock({ $0 }) else { return }
    guard let expected = link.fingerprint else { throw .untrusted(found) }
    if expected != found { throw .otherCertificate(expected: expected, found: found) }
  }

  private static func upgrade(
    _ channel: any Channel, _ link: StreamLink, _ status: SeenStatus
  ) throws -> EventLoopFuture<SocketStream> {
    var headers = HTTPHeaders([("Host", link.authority), ("Content-Length", "0")])
    if let token = link.token { headers.add(name: "Authorization", value: "Bearer \(token)") }
    let upgrader = NIOTypedWebSocketClientUpgrader<SocketStream>(
      maxFrameSize: messageByteLimit
    ) { channel, _ in
      channel.eventLoop.makeCompletedFuture {
        let stream = SocketStream(channel)
        try channel.pipeline.syncOperations.addHandlers([
          NIOWebSocketFrameAggregator(
            minNonFinalFragmentSize: 0, maxAccumulatedFrameCount: 64,
            maxAccumulatedFrameSize: messageByteLimit), SocketStreamReader(stream),
        ])
        return stream
      }
    }
    let encoder = HTTPRequestEncoder()
    let decoder = ByteToMessageHandler(HTTPResponseDecoder(leftOverBytesStrategy: .forwardBytes))
    let reader = StatusReader(status)
    let handler = NIOTypedHTTPClientUpgradeHandler(
      httpHandlers: [encoder, decoder, reader],
      upgradeConfiguration: NIOTypedHTTPClientUpgradeConfiguration(
        upgradeRequestHead: HTTPRequestHead(
          version: .http1_1, method: .GET, uri: "/api/publish", headers: headers),
        upgraders: [upgrader]
      ) { channel in
        channel.close(promise: nil)
        return channel.eventLoop.makeFailedFuture(
          StreamTransportError.unreachable("the server speaks no WebSocket there"))
      })
    try channel.pipeline.syncOperations.addHandlers([encoder, decoder, reader, handler])
    // A server that never answers would be waited for.
    let deadline = channel.eventLoop.scheduleTask(in: .of(seconds: connectSeconds)) {
      channel.close(promise: nil)
    }
    handler.upgradeResultFuture.whenComplete { _ in deadline.cancel() }
    return handler.upgradeResultFuture
  }
}

/// The certificate that a server showed.
private final class SeenCertificate: Sendable {
  let fingerprint = Mutex<CertificateFingerprint?>(nil)
}

/// The status of HTTP that refused a WebSocket.
private final class SeenStatus: Sendable {
  let code = Mutex<Int?>(nil)
}

/// Looks at the answer to an upgrade on its way.
private final class StatusReader: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPClientResponsePart
  private let status: SeenStatus

  init(_ status: SeenStatus) { self.status = status }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if case .head(let head) = Self.unwrapInboundIn(data), head.status != .switchingProtocols {
      status.code.withLock { $0 = Int(head.status.code) }
    }
    context.fireChannelRead(data)
  }
}

/// The certificates that a client trusts.
private struct TLS: Sendable {
  private let context: NIOSSLContext
  private let link: StreamLink
  private let seen: SeenCertificate

  init(_ link: StreamLink, _ seen: SeenCertificate) throws {
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.minimumTLSVersion = .tlsv12
    configuration.applicationProtocols = ["http/1.1"]
    context = try NIOSSLContext(configuration: configuration)
    self.link = link
    self.seen = seen
  }

  func handler() throws -> NIOSSLClientHandler {
    // Addresses have no place in SNI (RFC 6066, 3); they are compared with the certificate's.
    let name = HostNames.isAddress(link.host) ? nil : link.host
    guard let expected = link.fingerprint else {
      return try NIOSSLClientHandler(context: context, serverHostname: name)
    }
    let seen = seen
    return try NIOSSLClientHandler(context: context, serverHostname: name) { chain, promise in
      let found = (try? chain.first?.toDERBytes()).map { CertificateFingerprint(of: $0) }
      seen.fingerprint.withLock { $0 = found }
      promise.succeed(found == expected ? .certificateVerified : .failed)
    }
  }
}
