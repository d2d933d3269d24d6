import NIOCore

/// A violation for which a client is disconnected; RFC 6455, 7.4.1.
struct FrameViolation: Error, Sendable {
  let code: UInt16
  let reason: String
  static let frame = FrameViolation(code: 1002, reason: "not a WebSocket frame")
  static let mask = FrameViolation(code: 1002, reason: "a frame without a mask")
  static let order = FrameViolation(code: 1002, reason: "fragments out of order")
  static let length = FrameViolation(code: 1002, reason: "a length that is not written so")
  static let farewell = FrameViolation(code: 1002, reason: "a code that nobody may send")
  static let text = FrameViolation(code: 1007, reason: "text that is not UTF-8")
  static let size = FrameViolation(code: 1009, reason: "too large a message")
  static let unfinished = FrameViolation(code: 1008, reason: "too much that is not finished")
}

/// Reads the headers of a client's frames byte by byte, and refuses what RFC 6455 forbids before any
/// payload is kept.
///
/// NIO's decoder knows fragmented and long control frames only: it passes on reserved bits, unknown
/// opcodes, frames without a mask and lengths in more bytes than they need, and it waits for the payload
/// of all of them.
///
/// - Source: RFC 6455, 5.2 (reserved bits, opcodes, lengths of minimal size, the highest of 64 bits),
///   5.1 (masks), 5.4 (order of fragments), 5.5 (control frames).
struct FrameCheck {
  /// The kind of frame that a header begins.
  enum Beginning {
    /// A message of binary data.
    case binary
    /// A text, a further fragment, a ping, a pong or a farewell.
    case other
  }

  /// The most fragments of one message; empty ones would otherwise cost without end.
  static let fragmentLimit = 4096
  /// The largest text, whatever else an endpoint takes.
  static let textByteLimit = 64 << 10

  private static let continuation: UInt8 = 0
  private static let text: UInt8 = 1
  private static let binary: UInt8 = 2
  private static let controls: Set<UInt8> = [8, 9, 10]

  private let byteLimit: Int
  private var first: UInt8 = 0
  /// Bytes of the header so far, its length's bytes among them, and the mask's.
  private var count = 0
  private var lengthBytes = 0
  private var length: UInt64 = 0
  /// Of the message that is under way; `nil` between messages.
  private var opcode: UInt8?
  private var fragments = 0
  private var announced = 0

  /// Bytes of payload until the next header.
  private(set) var payloadLeft = 0
  /// Bytes of payload that are here of a message that has not ended.
  private(set) var heldBytes = 0

  init(byteLimit: Int) { self.byteLimit = byteLimit }

  private var isControl: Bool { first & 0x08 != 0 }
  private var isLast: Bool { first & 0x80 != 0 }

  /// Takes a byte of a header.
  ///
  /// - Returns: What begins behind it; `nil` where the header has not ended.
  /// - Precondition: No payload is left.
  mutating func take(_ byte: UInt8) throws(FrameViolation) -> Beginning? {
    defer { count += 1 }
    switch count {
    case 0: try begin(byte)
    case 1: try measure(byte)
    case 2..<(2 + lengthBytes):
      length = length << 8 | UInt64(byte)
      if count == 1 + lengthBytes { try checkLength() }
    case 1 + lengthBytes + 4:
      count = -1
      return end()
    default: break
    }
    return nil
  }

  private mutating func begin(_ byte: UInt8) throws(FrameViolation) {
    guard byte & 0x70 == 0 else { throw .frame }
    first = byte
    let kind = byte & 0x0F
    if Self.controls.contains(kind) {
      guard isLast else { throw .frame }
      return
    }
    switch kind {
    case Self.continuation: guard opcode != nil else { throw .order }
    case Self.text, Self.binary:
      guard opcode == nil else { throw .order }
      (opcode, fragments, announced) = (kind, 0, 0)
    default: throw .frame
    }
    fragments += 1
    guard fragments <= Self.fragmentLimit else { throw .size }
  }

  private mutating func measure(_ byte: UInt8) throws(FrameViolation) {
    guard byte & 0x80 != 0 else { throw .mask }
    length = UInt64(byte & 0x7F)
    lengthBytes = length == 127 ? 8 : length == 126 ? 2 : 0
    if isControl, lengthBytes > 0 { throw .frame }
    if lengthBytes > 0 { length = 0 } else { try checkLength() }
  }

  private mutating func checkLength() throws(FrameViolation) {
    switch lengthBytes {
    case 2: guard length > 125 else { throw .length }
    case 8: guard length > UInt64(UInt16.max), length <= UInt64(Int64.max) else { throw .length }
    default: break
    }
    guard !isControl else { return }
    let limit = opcode == Self.text ? min(byteLimit, Self.textByteLimit) : byteLimit
    // Both are below the limit, so that their sum cannot overflow.
    guard length <= UInt64(limit), announced + Int(length) <= limit else { throw .size }
    announced += Int(length)
  }

  private mutating func end() -> Beginning {
    payloadLeft = Int(length)
    let begins = first & 0x0F == Self.binary ? Beginning.binary : .other
    if payloadLeft == 0 { frameEnded() }
    return begins
  }

  /// Takes bytes of payload.
  ///
  /// - Precondition: No more than are left.
  mutating func skip(_ count: Int) {
    payloadLeft -= count
    if !isControl { heldBytes += count }
    if payloadLeft == 0 { frameEnded() }
  }

  private mutating func frameEnded() {
    guard !isControl, isLast else { return }
    (opcode, heldBytes) = (nil, 0)
  }
}

/// The end of a WebSocket as a frame states it: a code, and words for people.
struct CloseReason: Sendable {
  /// What fits into a control frame behind the code.
  ///
  /// - Source: RFC 6455, 5.5: 125 bytes.
  static let reasonByteLimit = 123

  /// `nil` where a client gave none.
  let code: UInt16?

  /// Reads what a client sent.
  ///
  /// - Throws: ``FrameViolation`` for one byte, a code that may not be sent, or words that are not UTF-8.
  init(_ payload: ByteBuffer) throws(FrameViolation) {
    var payload = payload
    guard payload.readableBytes > 0 else {
      code = nil
      return
    }
    guard let code = payload.readInteger(as: UInt16.self) else { throw .frame }
    guard Self.maySend(code) else { throw .farewell }
    guard String(validating: payload.readableBytesView, as: UTF8.self) != nil else { throw .text }
    self.code = code
  }

  /// Whether a code may stand in a frame: those that the protocol defines for it, and those of libraries
  /// and applications.
  ///
  /// - Source: RFC 6455, 7.4.1 and 7.4.2.
  static func maySend(_ code: UInt16) -> Bool {
    switch code {
    case 1000...1003, 1007...1011, 3000...4999: true
    default: false
    }
  }

  /// As many characters of a text as fit into a control frame.
  static func fitting(_ reason: String) -> String {
    var (result, count) = ("", 0)
    for character in reason {
      count += character.utf8.count
      guard count <= reasonByteLimit else { break }
      result.append(character)
    }
    return result
  }
}
