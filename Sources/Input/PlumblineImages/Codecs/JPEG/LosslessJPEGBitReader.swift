import PlumblineIO

/// Reads the bits of entropy-coded JPEG data without byte stuffing, up to a marker.
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
    // After the last bit, zeros can be peeked but never consumed.
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

  /// Skips the rest of the byte and reads restart marker `number`, 0 to 7.
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

/// A Huffman table for the magnitudes of differences, 0 to 16 bits.
///
/// Source: ITU-T T.81 §B.2.4.2 and annex C.
struct LosslessJPEGHuffmanTable: Sendable {
  /// For each of the 2¹⁶ possible next bits: the length of the code, with its magnitude in the bits
  /// above 8; 0 if no code starts this way.
  private let entries: [UInt16]

  /// The code that the next 16 bits start with; `nil` when there is none.
  func code(at bits: Int) -> (length: Int, magnitude: Int)? {
    let entry = Int(entries[bits & 0xFFFF])
    return entry == 0 ? nil : (entry & 0xFF, entry >> 8)
  }

  /// Reads the tables of one segment; a later table replaces an earlier one with its number.
  ///
  /// - Throws: `.malformed` for a table that overflows the code space or names a magnitude over 16
  ///   bits. A segment has at most 64 kB, so at most 3,855 tables, of which 4 are kept.
  static func read(
    _ payload: ArraySlice<UInt8>, into tables: inout [UInt8: LosslessJPEGHuffmanTable]
  ) throws(CaptureReadingError) {
    var reader = ByteReader(payload, path: ["JPEG", "DHT"])
    while !reader.isAtEnd {
      let name = try reader.readUInt8("a table's class and number")
      let counts = try reader.readBytes(16, as: "code counts").map { Int($0) }
      let symbols = try reader.readBytes(counts.reduce(0, +), as: "magnitudes")
      // Class 1 is for transform coding; such a table may be present but is not used.
      guard name >> 4 == 0 else { continue }
      guard name < 4 else {
        throw reader.malformed(expected: "a table number from 0 to 3", found: "\(name)")
      }
      tables[name] = try LosslessJPEGHuffmanTable(
        counts: counts, symbols: Array(symbols), place: reader)
    }
  }

  private init(
    counts: [Int], symbols: [UInt8], place: ByteReader
  ) throws(CaptureReadingError) {
    var entries = [UInt16](repeating: 0, count: 1 << 16)
    var next = 0
    var symbolIndex = 0
    for (index, count) in counts.enumerated() {
      let length = index + 1
      let span = 1 << (16 - length)
      for _ in 0..<count {
        let magnitude = symbols[symbolIndex]
        guard magnitude <= 16, next + span <= entries.count else {
          throw place.malformed(
            expected: "codes that fit into 16 bits for magnitudes up to 16",
            found: "magnitude \(magnitude) of \(length) bits")
        }
        let entry = UInt16(magnitude) << 8 | UInt16(length)
        for position in next..<next + span { entries[position] = entry }
        next += span
        symbolIndex += 1
      }
    }
    self.entries = entries
  }
}
