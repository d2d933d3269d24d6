import PlumblineIO

/// Reads the bits of entropy-coded JPEG data, without their stuffed zeros, up to a marker.
///
/// Source: ITU-T T.81 §F.2.2.
struct LosslessJPEGBitReader {
  private let bytes: ArraySlice<UInt8>
  private var offset: Int
  /// The bits read from bytes but not consumed, right-aligned.
  private var buffer = 0
  private var bitCount = 0

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    offset = bytes.startIndex
  }

  /// Reads one coded difference (T.81 §H.1.2.2), from −32767 to 32768.
  mutating func readDifference(
    _ table: LosslessJPEGHuffmanTable
  ) throws(CaptureReadingError) -> Int {
    fill(16)
    // Behind the last bit zeros are peeked at, but never consumed.
    let ahead = bitCount >= 16 ? buffer >> (bitCount - 16) : buffer << (16 - bitCount)
    guard let (length, magnitude) = table.code(at: ahead), length <= bitCount else {
      throw malformed(expected: "a Huffman code", found: bitCount < 16 ? "the end" : "none")
    }
    bitCount -= length
    if magnitude == 0 { return 0 }
    if magnitude == 16 { return 32_768 }
    fill(magnitude)
    guard magnitude <= bitCount else {
      throw malformed(expected: "\(magnitude) bits", found: "\(bitCount)")
    }
    bitCount -= magnitude
    let value = buffer >> bitCount & ((1 << magnitude) - 1)
    return value < 1 << (magnitude - 1) ? value - (1 << magnitude) + 1 : value
  }

  /// Drops the rest of the byte and reads restart marker `number`, 0 to 7.
  mutating func readRestart(number: Int) throws(CaptureReadingError) {
    buffer = 0
    bitCount = 0
    let expected = 0xD0 + UInt8(number)
    let found = bytes[offset...].prefix(2)
    guard found.elementsEqual([0xFF, expected]) else {
      throw malformed(expected: "restart marker \(number)", found: printable(found))
    }
    offset += 2
  }

  func malformed(expected: String, found: String) -> CaptureReadingError {
    CaptureReadingError(
      .malformed, path: ["JPEG", "SOF3"], offset: offset, expected: expected, found: found)
  }

  /// Makes at least `count` bits available, at most 16, unless a marker or the end is near.
  private mutating func fill(_ count: Int) {
    while bitCount < count, offset < bytes.endIndex {
      let byte = bytes[offset]
      if byte == 0xFF {
        guard offset + 1 < bytes.endIndex, bytes[offset + 1] == 0 else { return }
        offset += 1
      }
      offset += 1
      buffer = (buffer << 8 | Int(byte)) & 0xFFFF_FFFF
      bitCount += 8
    }
  }
}
