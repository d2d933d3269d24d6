internal import NIOCore
internal import NIOWebSocket

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
