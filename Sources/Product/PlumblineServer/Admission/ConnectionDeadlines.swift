import NIOCore

/// Ends connections that ask too slowly, too much or not at all.
///
/// Each deadline stands from its beginning and no byte moves it, so that a byte a second holds nothing.
/// It stands before the HTTP decoder and sees plain bytes.
///
/// - Source: slow headers and bodies: `slowhttptest`; `ecosystem.md` §C5 measured that a timer that
///   each byte resets lets them through.
final class ConnectionDeadlines: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private enum Phase {
    case idle
    case head(bytes: Int)
    case body
    case responding
    case webSocket
  }

  private let settings: ServerSettings
  private let registry: ConnectionRegistry
  private let number: Int
  private var phase = Phase.idle
  private var timer: Scheduled<Void>?
  private var context: ChannelHandlerContext?

  init(settings: ServerSettings, registry: ConnectionRegistry, number: Int) {
    self.settings = settings
    self.registry = registry
    self.number = number
  }

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    enter(.idle, seconds: settings.idleSeconds)
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    timer?.cancel()
    self.context = nil
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let count = Self.unwrapInboundIn(data).readableBytes
    switch phase {
    case .idle:
      enter(.head(bytes: 0), seconds: settings.headerSeconds)
      take(count, before: 0)
    case .head(let bytes): take(count, before: bytes)
    case .body, .responding, .webSocket: break
    }
    context.fireChannelRead(data)
    // The decoder has had its turn: what is still a head is one without an end.
    if case .head(let bytes) = phase, bytes > settings.headerByteLimit {
      refuse("431 Request Header Fields Too Large")
    }
  }

  private func take(_ count: Int, before bytes: Int) { phase = .head(bytes: bytes + count) }

  /// The headers are complete; a body may follow.
  func headArrived(expectsBody: Bool) {
    registry.set(number, isIdle: false)
    if expectsBody {
      enter(.body, seconds: settings.bodySeconds)
    } else {
      enter(.responding, seconds: nil)
    }
  }

  /// Everything of the request is there.
  func requestArrived() { enter(.responding, seconds: nil) }

  /// The response is on its way; the next request may come.
  func responded() {
    registry.set(number, isIdle: true)
    enter(.idle, seconds: settings.idleSeconds)
  }

  /// There are no more requests; WebSockets have deadlines of their own.
  func upgraded() {
    registry.set(number, isIdle: false)
    enter(.webSocket, seconds: nil)
  }

  private func enter(_ phase: Phase, seconds: Double?) {
    self.phase = phase
    timer?.cancel()
    timer = nil
    guard let seconds, let context else { return }
    timer = context.eventLoop.assumeIsolated().scheduleTask(in: .of(seconds: seconds)) {
      self.deadlinePassed()
    }
  }

  private func deadlinePassed() {
    switch phase {
    case .idle: context?.close(promise: nil)
    case .head, .body: refuse("408 Request Timeout")
    case .responding, .webSocket: break
    }
  }

  private func refuse(_ status: String) {
    guard let context else { return }
    enter(.responding, seconds: nil)
    let bound = context.loopBound
    context.writeAndFlush(Self.wrapOutboundOut(.refusal(status))).whenComplete { _ in
      bound.value.close(promise: nil)
    }
  }
}

extension ByteBuffer {
  /// A response without a body from before or behind the HTTP codec.
  static func refusal(_ status: String) -> ByteBuffer {
    ByteBuffer(string: "HTTP/1.1 \(status)\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
  }
}

extension TimeAmount {
  /// A time in seconds, to the nanosecond.
  static func of(seconds: Double) -> TimeAmount { .nanoseconds(Int64(seconds * 1e9)) }
}

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
