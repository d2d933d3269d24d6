internal import NIOCore
import PlumblineIO
/// The protocol's messages of a server.
///
/// - Source: `docs/spec.md` of github.com/foxglove/ws-protocol: numbers are little-endian.
enum FoxgloveMessage {
  /// The severity of a status.
  enum Level: Int {
    case info = 0
    case warning = 1
    case error = 2
  }

  static func json(_ value: JSONValue) -> WebSocketMessage {
    WebSocketMessage(text: JSONWriter(layout: .compact).bytes(value))
  }

  static func status(_ level: Level, _ message: String) -> WebSocketMessage {
    json(["op": "status", "level": .integer(level.rawValue), "message": .string(message)])
  }

  /// What time it is by the clock of the messages.
  static func time(nanoseconds: UInt64) -> WebSocketMessage {
    var buffer = ByteBuffer(integer: UInt8(0x02))
    buffer.writeInteger(nanoseconds, endianness: .little)
    return WebSocketMessage(binary: buffer)
  }

  static func data(
    subscription: UInt32, nanoseconds: UInt64, _ payload: [UInt8]
  ) -> WebSocketMessage {
    var buffer = ByteBufferAllocator().buffer(capacity: 13 + payload.count)
    buffer.writeInteger(UInt8(0x01))
    buffer.writeInteger(subscription, endianness: .little)
    buffer.writeInteger(nanoseconds, endianness: .little)
    buffer.writeBytes(payload)
    return WebSocketMessage(binary: buffer)
  }
}
