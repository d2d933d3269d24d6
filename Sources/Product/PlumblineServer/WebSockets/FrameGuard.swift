import NIOCore
import NIOWebSocket
import Synchronization

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

/// The bytes of messages that have begun and not ended, of all connections of a server together.
///
/// A limit for each message alone allows as much as there are connections; where the sum is too large,
/// the connection that holds most of it is closed, so that no client can keep the others' share.
final class UnfinishedMessages: Sendable {
  /// Informs a connection's handlers that it holds too much.
  struct TooMuch: Sendable {}

  private struct State {
    var sum = 0
    var held: [ObjectIdentifier: (bytes: Int, channel: any Channel)] = [:]
  }

  private let byteLimit: Int
  private let state = Mutex(State())

  init(byteLimit: Int) { self.byteLimit = byteLimit }

  /// Says how many bytes a connection holds now; O(1), O(*n*) where the limit is reached.
  func set(_ bytes: Int, of channel: any Channel) {
    let evicted = state.withLock { state -> [any Channel] in
      let key = ObjectIdentifier(channel)
      state.sum += bytes - (state.held[key]?.bytes ?? 0)
      state.held[key] = bytes > 0 ? (bytes, channel) : nil
      var evicted: [any Channel] = []
      while state.sum > byteLimit,
        let most = state.held.max(by: { $0.value.bytes < $1.value.bytes })
      {
        state.held[most.key] = nil
        state.sum -= most.value.bytes
        evicted.append(most.value.channel)
      }
      return evicted
    }
    for channel in evicted { channel.pipeline.fireUserInboundEventTriggered(TooMuch()) }
  }
}

/// Puts fragments together to messages; ``FrameCheck`` has let them pass.
struct MessageAssembly {
  enum Message {
    case text(String)
    case binary([UInt8])
  }

  private var bytes: [UInt8] = []
  private var isText = false

  /// Takes a frame of data.
  ///
  /// - Returns: The message that it ends; `nil` for a fragment.
  mutating func take(_ frame: WebSocketFrame) throws(FrameViolation) -> Message? {
    guard let mask = frame.maskKey else { throw .mask }
    if frame.opcode != .continuation { isText = frame.opcode == .text }
    append(frame.data, mask)
    guard frame.fin else { return nil }
    defer { bytes = [] }
    guard isText else { return .binary(bytes) }
    guard let text = String(validating: bytes, as: UTF8.self) else { throw .text }
    return .text(text)
  }

  /// Eight bytes at a time; frames are megabytes.
  private mutating func append(_ data: ByteBuffer, _ mask: WebSocketMaskingKey) {
    let start = bytes.count
    data.withUnsafeReadableBytes { bytes.append(contentsOf: $0) }
    var key: UInt64 = 0
    for index in 0..<8 { key |= UInt64(mask[index % 4]) << UInt64(8 * index) }
    bytes.withUnsafeMutableBytes { all in
      let masked = UnsafeMutableRawBufferPointer(rebasing: all[start...])
      let whole = masked.count & ~7
      for offset in stride(from: 0, to: whole, by: 8) {
        let word = masked.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        masked.storeBytes(of: word ^ key.littleEndian, toByteOffset: offset, as: UInt64.self)
      }
      for offset in whole..<masked.count { masked[offset] ^= mask[offset % 4] }
    }
  }
}
