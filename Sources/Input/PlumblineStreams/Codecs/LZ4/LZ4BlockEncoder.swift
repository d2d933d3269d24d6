/// Compresses one LZ4 block that refers to nothing before it.
///
/// It takes the last place where the same five bytes stood, without looking for a longer match, and
/// takes larger steps where it finds nothing for long.
///
/// - Source: github.com/lz4/lz4, doc/lz4_Block_format.md, with "End of block restrictions": the last
///   match begins at least 12 bytes before the end, and the last 5 bytes are literals.
struct LZ4BlockEncoder {
  private static let tableBits = 14
  private static let minimumMatch = 4
  private static let maximumDistance = 65_535
  /// The bytes at the end of a block where no match may begin.
  private static let lastMatchStart = 12
  /// The bytes at the end of a block that must be literals.
  private static let lastLiterals = 5

  private let input: UnsafeRawBufferPointer
  private let output: UnsafeMutableBufferPointer<UInt8>
  private var written = 0

  /// The compressed block; O(*n*).
  ///
  /// - Returns: At most *n* + *n*/255 + 16 bytes.
  static func encoded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: bytes.count + bytes.count / 255 + 16) { output, count in
      bytes.withUnsafeBytes { input in
        var encoder = LZ4BlockEncoder(input: input, output: output)
        encoder.encode()
        count = encoder.written
      }
    }
  }

  private init(input: UnsafeRawBufferPointer, output: UnsafeMutableBufferPointer<UInt8>) {
    (self.input, self.output) = (input, output)
  }

  private mutating func encode() {
    // Positions plus 1; 0 for none.
    var table = [UInt32](repeating: 0, count: 1 << Self.tableBits)
    var literalStart = 0
    var place = 0
    var misses = 0
    while place + Self.lastMatchStart <= input.count {
      let slot = slot(of: place)
      var candidate = Int(table[slot]) - 1
      table[slot] = UInt32(place + 1)
      guard candidate >= 0, place - candidate <= Self.maximumDistance,
        word(at: candidate) == word(at: place)
      else {
        misses += 1
        place += 1 + misses >> 6
        continue
      }
      misses = 0
      // Steps may have passed the first bytes that are equal.
      while candidate > 0, place > literalStart, input[candidate - 1] == input[place - 1] {
        candidate -= 1
        place -= 1
      }
      let size = matchLength(candidate, place)
      write(literals: literalStart..<place, distance: place - candidate, size: size)
      place += size
      literalStart = place
      if place + Self.lastMatchStart <= input.count {
        table[self.slot(of: place - 2)] = UInt32(place - 1)
      }
    }
    write(literals: literalStart..<input.count)
  }

  /// The number of equal bytes from two places on, up to the literals at the end.
  private func matchLength(_ candidate: Int, _ place: Int) -> Int {
    let most = input.count - Self.lastLiterals - place
    var size = Self.minimumMatch
    while size + 8 <= most {
      let difference =
        input.loadUnaligned(fromByteOffset: candidate + size, as: UInt64.self)
        ^ input.loadUnaligned(fromByteOffset: place + size, as: UInt64.self)
      if difference != 0 {
        return size + UInt64(littleEndian: difference).trailingZeroBitCount / 8
      }
      size += 8
    }
    while size < most, input[candidate + size] == input[place + size] { size += 1 }
    return size
  }

  /// The entry of the table for five bytes, which find longer matches than four do.
  private func slot(of place: Int) -> Int {
    let bytes = UInt64(
      littleEndian: input.loadUnaligned(fromByteOffset: place, as: UInt64.self))
    return Int(((bytes << 24) &* 889_523_592_379) >> UInt64(64 - Self.tableBits))
  }

  private func word(at place: Int) -> UInt32 {
    input.loadUnaligned(fromByteOffset: place, as: UInt32.self)
  }

  private mutating func write(literals: Range<Int>, distance: Int, size: Int) {
    let extra = size - Self.minimumMatch
    write(UInt8(min(literals.count, 15) << 4 | min(extra, 15)))
    writeRest(of: literals.count)
    copy(literals)
    write(UInt8(truncatingIfNeeded: distance))
    write(UInt8(truncatingIfNeeded: distance >> 8))
    writeRest(of: extra)
  }

  private mutating func write(literals: Range<Int>) {
    write(UInt8(min(literals.count, 15) << 4))
    writeRest(of: literals.count)
    copy(literals)
  }

  /// The bytes after the four bits of a length.
  private mutating func writeRest(of length: Int) {
    guard length >= 15 else { return }
    var rest = length - 15
    while rest >= 255 {
      write(255)
      rest -= 255
    }
    write(UInt8(rest))
  }

  private mutating func write(_ byte: UInt8) {
    output[written] = byte
    written += 1
  }

  private mutating func copy(_ range: Range<Int>) {
    let source = UnsafeRawBufferPointer(rebasing: input[range])
    UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(output)[written...])
      .copyMemory(from: source)
    written += range.count
  }
}
