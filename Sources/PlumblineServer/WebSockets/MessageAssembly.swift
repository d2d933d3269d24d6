internal import NIOCore
internal import NIOWebSocket

/// Puts fragments together to messages, and refuses what RFC 6455 forbids.
struct MessageAssembly {
  enum Message {
    case text(String)
    case binary([UInt8])
  }

  /// Why a client is sent away; RFC 6455, 7.4.1.
  struct Violation: Error {
    let code: UInt16
    let reason: String
    static let frame = Violation(code: 1002, reason: "not a WebSocket frame")
    static let mask = Violation(code: 1002, reason: "a frame without a mask")
    static let order = Violation(code: 1002, reason: "fragments out of order")
    static let text = Violation(code: 1007, reason: "text that is not UTF-8")
    static let size = Violation(code: 1009, reason: "too large a message")
  }

  /// The most fragments of one message; empty ones would otherwise cost without end.
  static let fragmentLimit = 4096
  /// The largest text, whatever else an endpoint takes.
  static let textByteLimit = 64 << 10

  let byteLimit: Int
  private var bytes: [UInt8] = []
  private var opcode: WebSocketOpcode?
  private var fragments = 0

  init(byteLimit: Int) { self.byteLimit = byteLimit }

  /// Takes a frame of data.
  ///
  /// - Returns: The message that it ends; `nil` for a fragment.
  mutating func take(_ frame: WebSocketFrame) throws(Violation) -> Message? {
    guard let mask = frame.maskKey else { throw .mask }
    switch frame.opcode {
    case .text, .binary:
      guard opcode == nil else { throw .order }
      opcode = frame.opcode
    case .continuation: guard opcode != nil else { throw .order }
    default: throw .frame
    }
    fragments += 1
    let limit = opcode == .text ? min(byteLimit, Self.textByteLimit) : byteLimit
    guard fragments <= Self.fragmentLimit, bytes.count + frame.data.readableBytes <= limit else {
      throw .size
    }
    append(frame.data, mask)
    guard frame.fin else { return nil }
    defer { (bytes, opcode, fragments) = ([], nil, 0) }
    guard opcode == .text else { return .binary(bytes) }
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
