import NIOCore
import NIOWebSocket

/// Turns a connection's frames into messages for its receiver, keeps it alive and ends it.
final class WebSocketMessages: ChannelDuplexHandler {
  typealias InboundIn = WebSocketFrame
  typealias OutboundIn = WebSocketFrame
  typealias OutboundOut = WebSocketFrame

  /// Pings of a client that are answered each second; more is a flood.
  private static let pingsPerSecondLimit = 20.0
  /// The time that a client has to answer a farewell.
  private static let farewellSeconds = 1.0

  private let connection: WebSocketConnection
  private let endpoint: any WebSocketEndpoint
  private let pingSeconds: Double
  private var context: ChannelHandlerContext?
  private var receiver: (any WebSocketReceiver)?
  private var assembly = MessageAssembly()
  private var messageRate: RateLimit
  private var pingRate = RateLimit(perSecond: pingsPerSecondLimit)
  private var pauses: Set<WebSocketReading.Reason> = []
  private var isReadHeldBack = false
  private var isClosing = false
  private var heardSincePing = true
  private var pingTimer: RepeatedTask?

  init(
    connection: WebSocketConnection, endpoint: any WebSocketEndpoint, pingSeconds: Double
  ) {
    self.connection = connection
    self.endpoint = endpoint
    self.pingSeconds = pingSeconds
    messageRate = RateLimit(perSecond: endpoint.messagesPerSecondLimit)
  }

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    let receiver = endpoint.open(connection)
    self.receiver = receiver
    connection.begin(receiver)
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    pingTimer = context.eventLoop.scheduleRepeatedTask(
      initialDelay: .of(seconds: pingSeconds), delay: .of(seconds: pingSeconds)
    ) { _ in
      let (handler, context) = bound.value
      handler.ping(context)
    }
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    end()
    self.context = nil
  }

  func channelInactive(context: ChannelHandlerContext) {
    end()
    context.fireChannelInactive()
  }

  private func end() {
    pingTimer?.cancel()
    pingTimer = nil
    connection.ended()
    receiver?.closed()
    receiver = nil
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let frame = Self.unwrapInboundIn(data)
    do throws(FrameViolation) { try take(frame, context) } catch { leave(for: error) }
  }

  /// The client has sent something, if only a part of a frame.
  func heard() {
    heardSincePing = true
    connection.heard()
  }

  /// Whether a message of binary data may begin; where not, the receiver has ended the connection.
  var isBinaryWanted: Bool { isClosing || receiver?.binaryBegins() == true }

  /// Sends a client away.
  func leave(for violation: FrameViolation, lingers: Bool = true) {
    guard let context else { return }
    leave(violation.code, violation.reason, context, lingers: lingers)
  }

  private func take(
    _ frame: WebSocketFrame, _ context: ChannelHandlerContext
  ) throws(FrameViolation) {
    switch frame.opcode {
    case .connectionClose:
      // Its answer, or its own wish, which is answered in kind; then both have said it.
      if isClosing { return context.close(promise: nil) }
      let code = try CloseReason(frame.unmaskedData).code
      leave(code ?? 1000, "", context, lingers: false)
    case .ping:
      guard pingRate.take(atSeconds: seconds()) else {
        throw FrameViolation(code: 1008, reason: "too many pings")
      }
      let pong = WebSocketFrame(fin: true, opcode: .pong, data: frame.unmaskedData)
      if !isClosing { context.writeAndFlush(Self.wrapOutboundOut(pong), promise: nil) }
    case .pong: break
    default:
      guard !isClosing, let message = try assembly.take(frame) else { return }
      guard messageRate.take(atSeconds: seconds()) else {
        throw FrameViolation(code: 1008, reason: "too many messages")
      }
      switch message {
      case .text(let text): receiver?.received(text: text)
      case .binary(let bytes): receiver?.received(binary: bytes)
      }
    }
  }

  private func seconds() -> Double { Double(NIODeadline.now().uptimeNanoseconds) / 1e9 }

  private func ping(_ context: ChannelHandlerContext) {
    // A client that is not read from cannot be heard.
    if pauses.isEmpty, isLost { return context.close(promise: nil) }
    // A client that sends by itself needs no ping.
    if let limit = endpoint.silenceSeconds, silentSeconds < limit / 4 { return }
    heardSincePing = false
    let ping = WebSocketFrame(fin: true, opcode: .ping, data: ByteBuffer())
    if !isClosing { context.writeAndFlush(Self.wrapOutboundOut(ping), promise: nil) }
  }

  private var silentSeconds: Double { (ContinuousClock.now - connection.lastHeard).seconds }

  private var isLost: Bool {
    endpoint.silenceSeconds.map { silentSeconds >= $0 } ?? !heardSincePing
  }

  private func leave(
    _ code: UInt16, _ reason: String, _ context: ChannelHandlerContext, lingers: Bool = true
  ) {
    guard !isClosing else { return }
    isClosing = true
    pauses = []
    readOn(context)
    connection.ended()
    var data = ByteBuffer(integer: code)
    data.writeString(CloseReason.fitting(reason))
    let bound = context.loopBound
    let frame = WebSocketFrame(fin: true, opcode: .connectionClose, data: data)
    context.writeAndFlush(Self.wrapOutboundOut(frame)).whenComplete { _ in
      guard lingers else { return bound.value.close(promise: nil) }
      bound.eventLoop.scheduleTask(in: .of(seconds: Self.farewellSeconds)) {
        bound.value.close(promise: nil)
      }
    }
  }

  // MARK: - Requests of the connection

  func read(context: ChannelHandlerContext) {
    if pauses.isEmpty { context.read() } else { isReadHeldBack = true }
  }

  private func readOn(_ context: ChannelHandlerContext) {
    guard pauses.isEmpty, isReadHeldBack else { return }
    // What was sent meanwhile comes now.
    heard()
    isReadHeldBack = false
    context.read()
  }

  func triggerUserOutboundEvent(
    context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?
  ) {
    switch event {
    case let farewell as WebSocketFarewell: leave(farewell.code, farewell.reason, context)
    case let reading as WebSocketReading:
      if !reading.isWanted, !isClosing {
        pauses.insert(reading.reason)
      } else {
        pauses.remove(reading.reason)
      }
      readOn(context)
    default: return context.triggerUserOutboundEvent(event, promise: promise)
    }
    promise?.succeed()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event is ServerStopping { leave(1001, "the server ends", context) }
    if event is ClientEnding { leave(ClientEnding.code, ClientEnding.reason, context) }
    context.fireUserInboundEventTriggered(event)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }
}

/// Counts what comes against a rate, with a second's worth of burst; a token bucket.
struct RateLimit {
  private let perSecond: Double
  private var room: Double
  private var lastSeconds: Double?

  init(perSecond: Double) {
    self.perSecond = perSecond
    room = perSecond
  }

  /// Takes one at a time in seconds; whether it is within the rate.
  mutating func take(atSeconds seconds: Double) -> Bool {
    if let lastSeconds, seconds > lastSeconds {
      room = min(room + (seconds - lastSeconds) * perSecond, perSecond)
    }
    lastSeconds = seconds
    room -= 1
    return room >= 0
  }

  /// How long to wait until there is room for one more.
  var waitSeconds: Double { room >= 1 ? 0 : (1 - room) / perSecond }
}
