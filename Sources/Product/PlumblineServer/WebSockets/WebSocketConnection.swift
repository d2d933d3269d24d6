import NIOCore
import NIOWebSocket
import PlumblineStreams
import Synchronization

/// One client's WebSocket; may be used from any thread.
///
/// What waits for the client is bounded: a message that finds no room is refused, and a client that
/// takes nothing for ``ServerSettings/stallSeconds`` is dropped.
public final class WebSocketConnection: Sendable {
  private struct State {
    var pendingBytes = 0
    var isClosed = false
    var lastHeard = ContinuousClock.now
    var receiver: (any WebSocketReceiver)?
  }

  /// Where more than this waits for a client, a next message finds no room.
  static let pendingByteLimit = 8 << 20

  /// The subprotocol that was agreed on; `nil` without any.
  public let subprotocol: String?
  let channel: any Channel
  private let state = Mutex(State())

  init(channel: any Channel, subprotocol: String?) {
    self.channel = channel
    self.subprotocol = subprotocol
  }

  /// The bytes that the system has not taken yet; 0 when a next message would not wait.
  var pendingByteCount: Int { state.withLock { $0.pendingBytes } }

  /// When the client sent anything, if only a part of a frame.
  var lastHeard: ContinuousClock.Instant { state.withLock { $0.lastHeard } }

  func heard() { state.withLock { $0.lastHeard = .now } }

  /// Whether nothing can be sent any more.
  public var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Sends a message; O(1).
  ///
  /// - Returns: `false` where it found no room or the connection is over; then nothing is sent.
  @discardableResult
  public func send(_ message: WebSocketMessage) -> Bool { send(message, taken: nil) }

  /// Sends a message, and says when the system has taken it; on the connection's thread.
  @discardableResult
  func send(_ message: WebSocketMessage, taken: (@Sendable () -> Void)?) -> Bool {
    let count = message.byteCount
    let hasRoom = state.withLock { state in
      guard !state.isClosed, state.pendingBytes <= Self.pendingByteLimit else { return false }
      state.pendingBytes += count
      return true
    }
    guard hasRoom else { return false }
    let frame = WebSocketFrame(
      fin: true, opcode: message.isText ? .text : .binary, data: message.buffer)
    channel.writeAndFlush(frame).whenComplete { [self] result in
      let (isDrained, receiver) = state.withLock { state in
        state.pendingBytes -= count
        return (state.pendingBytes == 0 && !state.isClosed, state.receiver)
      }
      guard case .success = result else { return }
      taken?()
      if isDrained { receiver?.drained() }
    }
    return true
  }

  /// Sends the end message and ends the connection; without effect the second time.
  ///
  /// - Parameters:
  ///   - code: Why; 1000 for a good end. RFC 6455, 7.4.
  ///   - reason: For people; 123 bytes of it, cut between characters.
  public func close(code: Int = 1000, reason: String = "") {
    let wasOpen = state.withLock { state in
      defer { state.isClosed = true }
      return !state.isClosed
    }
    guard wasOpen else { return }
    channel.triggerUserOutboundEvent(
      WebSocketFarewell(code: UInt16(clamping: code), reason: reason),
      promise: nil)
  }

  /// Ends the connection without a word, for a client that there is no room for.
  func abort() { channel.close(promise: nil) }

  /// Stops or goes on taking what the client sends; what it sends meanwhile fills the network's own
  /// buffers and then makes it wait.
  ///
  /// It goes on when no reason is left.
  func setReading(_ isReading: Bool, _ reason: WebSocketReading.Reason) {
    channel.triggerUserOutboundEvent(
      WebSocketReading(isWanted: isReading, reason: reason), promise: nil)
  }

  func begin(_ receiver: any WebSocketReceiver) { state.withLock { $0.receiver = receiver } }

  /// The channel is gone.
  func ended() {
    state.withLock { state in
      state.isClosed = true
      state.receiver = nil
    }
  }
}

/// Asks a connection's handler to send the end message.
struct WebSocketFarewell: Sendable {
  let code: UInt16
  let reason: String
}

/// Asks a connection's handler to read on, or not to.
struct WebSocketReading: Sendable {
  /// Why nothing is read for a while.
  enum Reason: Sendable {
    /// The consumer has no room.
    case room
    /// Too much came in a short time.
    case rate
  }

  let isWanted: Bool
  let reason: Reason
}

/// A message that may go to many clients; its bytes are held once.
public struct WebSocketMessage: Sendable {
  let isText: Bool
  let buffer: ByteBuffer

  /// A text message.
  ///
  /// - Precondition: The bytes are UTF-8, which is not checked.
  public init(text: [UInt8]) {
    isText = true
    buffer = ByteBuffer(bytes: text)
  }

  /// A text message.
  public init(text: String) {
    isText = true
    buffer = ByteBuffer(string: text)
  }

  /// A binary message.
  public init(binary: [UInt8]) {
    isText = false
    buffer = ByteBuffer(bytes: binary)
  }

  /// A message of a live stream.
  init(_ message: StreamMessage) { self.init(text: message.encoded) }

  /// A binary message whose bytes are put together already.
  init(binary buffer: ByteBuffer) {
    isText = false
    self.buffer = buffer
  }

  /// The size in bytes.
  public var byteCount: Int { buffer.readableBytes }
}

extension WebSocketConnection {
  /// Sends a message of a live stream.
  func send(_ message: StreamMessage) { send(WebSocketMessage(message)) }
}
