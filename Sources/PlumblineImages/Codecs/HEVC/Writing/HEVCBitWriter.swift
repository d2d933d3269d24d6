/// Packs bits, most significant first, as video headers do.
struct HEVCBitWriter {
  private(set) var bytes: [UInt8] = []
  private var filled = 8

  /// Whether the last byte is full.
  var isAligned: Bool { filled == 8 }

  /// Appends the lowest bits of a number.
  mutating func write(_ value: Int, bits: Int) {
    for shift in stride(from: bits - 1, through: 0, by: -1) {
      if filled == 8 {
        bytes.append(0)
        filled = 0
      }
      bytes[bytes.count - 1] |= UInt8(value >> shift & 1) << UInt8(7 - filled)
      filled += 1
    }
  }

  /// Appends whole bytes; what was begun is filled up with zeros before.
  mutating func write(_ whole: [UInt8]) {
    align()
    bytes += whole
  }

  /// Appends an unsigned Exp-Golomb code.
  mutating func writeGolomb(_ values: Int...) {
    for value in values {
      let length = Int.bitWidth - (value + 1).leadingZeroBitCount
      write(0, bits: length - 1)
      write(value + 1, bits: length)
    }
  }

  /// Fills up the last byte with zeros.
  mutating func align() { filled = 8 }

  /// Ends a unit: a one, then zeros up to a whole byte.
  mutating func writeTrailingBits() {
    write(1, bits: 1)
    align()
  }
}
