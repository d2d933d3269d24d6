internal import NIOCore

/// Drops a client that takes nothing of what waits for it.
///
/// What goes out is cut into pieces without copying it, and each piece that the system took counts as
/// progress; so a slow line is no stalled one. It stands between encryption and everything else.
final class StalledClient: ChannelOutboundHandler {
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private static let pieceBytes = 64 << 10

  private let limit: TimeAmount
  private var waitingPieces = 0
  private var lastProgress = NIODeadline.now()
  private var timer: Scheduled<Void>?
  private var context: ChannelHandlerContext?

  init(seconds: Double) { limit = .of(seconds: seconds) }

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }

  func handlerRemoved(context: ChannelHandlerContext) {
    timer?.cancel()
    self.context = nil
  }

  func write(
    context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?
  ) {
    var buffer = Self.unwrapOutboundIn(data)
    repeat {
      let count = min(buffer.readableBytes, Self.pieceBytes)
      guard let piece = buffer.readSlice(length: count) else { return }
      let taken = context.eventLoop.makePromise(of: Void.self)
      taken.futureResult.assumeIsolated().whenComplete { _ in self.pieceTaken() }
      if buffer.readableBytes == 0 { taken.futureResult.cascade(to: promise) }
      if waitingPieces == 0 { lastProgress = .now() }
      waitingPieces += 1
      context.write(Self.wrapOutboundOut(piece), promise: taken)
    } while buffer.readableBytes > 0
    watch()
  }

  private func pieceTaken() {
    waitingPieces -= 1
    lastProgress = .now()
  }

  private func watch() {
    guard timer == nil, let context else { return }
    timer = context.eventLoop.assumeIsolated().scheduleTask(deadline: lastProgress + limit) {
      self.timer = nil
      guard self.waitingPieces > 0 else { return }
      if NIODeadline.now() - self.lastProgress >= self.limit {
        self.context?.close(promise: nil)
      } else {
        self.watch()
      }
    }
  }
}
