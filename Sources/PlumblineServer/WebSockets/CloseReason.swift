internal import NIOCore

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
