import PlumblineIO

/// How the answers of a worker follow each other: lines of JSON, and blocks that say their length.
///
/// A block is the byte 1, which begins no JSON, its length as 32 bits with the lowest byte first, and as
/// many bytes. Packed results are sent as blocks, since reading them as text would take the parent as long
/// as all other work on a capture.
package enum WorkerMessages {
  /// The first byte of a block.
  static let blockMark: UInt8 = 1
  /// The bytes before the content of a block: mark and length.
  static let blockHeadBytes = 5

  /// A block with its head.
  static func block(_ content: [UInt8]) -> [UInt8] {
    var block = [blockMark]
    block.reserveCapacity(blockHeadBytes + content.count)
    block.appendLittleEndian(UInt32(content.count))
    block += content
    return block
  }

  /// Takes the whole messages from what was received: lines without their line feed, blocks with their
  /// head.
  ///
  /// - Parameters:
  ///   - received: What came so far; the start of an unfinished message stays.
  ///   - limit: The most bytes of a message.
  /// - Returns: `nil` where a message is longer. O(*n*).
  package static func take(
    from received: inout [UInt8], atMost limit: Int
  ) -> [ArraySlice<UInt8>]? {
    var messages: [ArraySlice<UInt8>] = []
    var start = received.startIndex
    while start < received.endIndex {
      guard let end = end(of: received[start...]) else { break }
      let message = received[start..<end]
      guard message.count <= limit else { return nil }
      let isBlock = message.first == blockMark
      guard isBlock || end < received.endIndex else { break }
      messages.append(message)
      start = isBlock ? end : end + 1
    }
    let rest = received[start...]
    received = Array(rest)
    // A block says how long it will be before it is received.
    return max(rest.count, announced(rest)) > limit ? nil : messages
  }

  /// Where the first message ends; `nil` where its end was not received.
  private static func end(of received: ArraySlice<UInt8>) -> Int? {
    guard received.first == blockMark else {
      return received.withUnsafeBytes { bytes in
        bytes.firstIndex(of: UInt8(ascii: "\n")).map { received.startIndex + $0 }
      }
    }
    let count = announced(received)
    return count > 0 && received.count >= count ? received.startIndex + count : nil
  }

  /// The bytes of the block that begins, with its head; 0 for a line or an unfinished head.
  private static func announced(_ received: ArraySlice<UInt8>) -> Int {
    guard received.first == blockMark, received.count >= blockHeadBytes else { return 0 }
    let length = received.dropFirst().prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    return blockHeadBytes + length
  }
}
