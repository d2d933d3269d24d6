import NIOCore
import NIOPosix
import PlumblineServer
import Synchronization

/// A network between a publisher and a server: it breaks off where a test requires it, or is slow.
///
/// The publisher's `Host` has the proxy's port, which the server would refuse; it is put right on the way.
final class CuttingProxy: Sendable {
  /// The faults of the simulated network.
  struct Behavior: Sendable {
    /// After how many bytes of the publisher each connection breaks off; no break after the last one.
    var cuts: [Int] = []
    /// The most bytes of the publisher each second; `nil` for no limit.
    var bytesPerSecond: Int?
  }

  let port: Int
  /// The connections so far.
  var connectionCount: Int { count.number.withLock { $0 } }
  private let listener: any Channel
  private let count: Counter

  private final class Counter: Sendable {
    let number = Mutex(0)
    func next() -> Int {
      number.withLock { number in
        defer { number += 1 }
        return number
      }
    }
  }

  init(to server: ViewServer, _ behavior: Behavior) async throws {
    let (count, target) = (Counter(), server.port)
    self.count = count
    listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelOption(.socketOption(.so_rcvbuf), value: 64 << 10)
      .childChannelOption(.maxMessagesPerRead, value: 1)
      .childChannelInitializer { inbound in
        let number = count.next()
        // Both ends live on one loop, so that neither needs a lock.
        return ClientBootstrap(group: inbound.eventLoop)
          .channelInitializer { outbound in
            outbound.eventLoop.makeCompletedFuture {
              try outbound.pipeline.syncOperations.addHandler(
                Forwarder(to: inbound))
            }
          }
          .connect(host: "127.0.0.1", port: target).flatMapThrowing { outbound in
            try inbound.pipeline.syncOperations.addHandler(
              Forwarder(
                to: outbound, cutAfter: number < behavior.cuts.count ? behavior.cuts[number] : nil,
                bytesPerSecond: behavior.bytesPerSecond,
                ports: (inbound.localAddress?.port ?? 0, target)))
          }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    port = listener.localAddress?.port ?? 0
  }

  func stop() async { try? await listener.close() }

  /// Hands the bytes of one side to the other.
  private final class Forwarder: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let target: any Channel
    private var left: Int?
    private let bytesPerSecond: Int?
    /// The port in the head of the first request, until it was replaced.
    private var ports: (wrong: Int, right: Int)?

    init(
      to target: any Channel, cutAfter left: Int? = nil, bytesPerSecond: Int? = nil,
      ports: (Int, Int)? = nil
    ) {
      self.target = target
      self.left = left
      self.bytesPerSecond = bytesPerSecond
      self.ports = ports
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      var bytes = Array(Self.unwrapInboundIn(data).readableBytesView)
      if let ports {
        // A head of a few hundred bytes comes in one piece on loopback.
        let head = String(decoding: bytes, as: UTF8.self)
        bytes = Array(
          head.split(separator: ":\(ports.wrong)\r\n", omittingEmptySubsequences: false)
            .joined(separator: ":\(ports.right)\r\n").utf8)
        self.ports = nil
      }
      let isCut = left.map { $0 <= bytes.count } ?? false
      if let left {
        bytes = Array(bytes.prefix(left))
        self.left = left - bytes.count
      }
      target.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil)
      if isCut {
        context.close(promise: nil)
      } else if let bytesPerSecond {
        rest(context, Double(bytes.count) / Double(bytesPerSecond))
      }
    }

    private func rest(_ context: ChannelHandlerContext, _ seconds: Double) {
      let channel = context.channel
      channel.setOption(.autoRead, value: false).whenComplete { _ in
        channel.eventLoop.scheduleTask(in: .nanoseconds(Int64(seconds * 1e9))) {
          channel.setOption(.autoRead, value: true).whenComplete { _ in }
        }
      }
    }

    func channelInactive(context: ChannelHandlerContext) { target.close(promise: nil) }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      context.close(promise: nil)
    }
  }
}
