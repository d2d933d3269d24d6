internal import NIOCore

/// Lets a client's bytes pass to the decoder as long as the headers among them are sound and what they
/// announce is wanted.
///
/// It stands before the decoder, which keeps a frame until it is whole: what is refused here is never
/// kept.
final class FrameGuard: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  private let messages: WebSocketMessages
  private let unfinished: UnfinishedMessages
  private var check: FrameCheck
  /// Nothing passes any more.
  private var isShut = false

  init(messages: WebSocketMessages, unfinished: UnfinishedMessages, byteLimit: Int) {
    self.messages = messages
    self.unfinished = unfinished
    check = FrameCheck(byteLimit: byteLimit)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isShut else { return }
    messages.heard()
    var bytes = Self.unwrapInboundIn(data)
    do throws(FrameViolation) {
      try pass(&bytes, context)
      if !isShut { unfinished.set(check.heldBytes, of: context.channel) }
    } catch {
      shut(for: error, context)
    }
  }

  /// Passes on what is sound; what precedes a header was passed on before that is checked.
  private func pass(
    _ bytes: inout ByteBuffer, _ context: ChannelHandlerContext
  ) throws(FrameViolation) {
    /// Behind the reader's index; a header that began in an earlier packet begins at 0.
    var (offset, headerStart) = (0, 0)
    while offset < bytes.readableBytes, !isShut {
      if check.payloadLeft > 0 {
        let count = min(check.payloadLeft, bytes.readableBytes - offset)
        check.skip(count)
        offset += count
        headerStart = offset
        continue
      }
      let position = bytes.readerIndex + offset
      guard let byte = bytes.getInteger(at: position, as: UInt8.self) else { break }
      let begins: FrameCheck.Beginning?
      do throws(FrameViolation) { begins = try check.take(byte) } catch {
        forward(headerStart, of: &bytes, context)
        throw error
      }
      offset += 1
      guard let begins else { continue }
      if begins == .binary {
        offset -= headerStart
        forward(headerStart, of: &bytes, context)
        headerStart = 0
        guard messages.isBinaryWanted else { return shut(context) }
      }
      if check.payloadLeft == 0 { headerStart = offset }
    }
    forward(bytes.readableBytes, of: &bytes, context)
  }

  private func forward(
    _ count: Int, of bytes: inout ByteBuffer, _ context: ChannelHandlerContext
  ) {
    guard count > 0, !isShut, let part = bytes.readSlice(length: count) else { return }
    context.fireChannelRead(Self.wrapInboundOut(part))
  }

  private func shut(_ context: ChannelHandlerContext) {
    isShut = true
    unfinished.set(0, of: context.channel)
  }

  private func shut(for violation: FrameViolation, _ context: ChannelHandlerContext) {
    shut(context)
    messages.leave(for: violation)
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard event is UnfinishedMessages.TooMuch else {
      return context.fireUserInboundEventTriggered(event)
    }
    shut(context)
    // What its decoder keeps is to go now, and not when the client has read the reason.
    messages.leave(for: .unfinished, lingers: false)
  }

  func channelInactive(context: ChannelHandlerContext) {
    unfinished.set(0, of: context.channel)
    context.fireChannelInactive()
  }
}
