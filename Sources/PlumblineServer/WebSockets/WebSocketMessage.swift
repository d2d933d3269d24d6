internal import NIOCore
import PlumblineStreams
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
