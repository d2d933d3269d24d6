/// A cursor over the bits of a byte string, most significant bit first, as video headers pack them.
///
/// It never reads past the end; every read that would throws `.malformed`.
package struct BitReader {
  private let bytes: [UInt8]
  private var position = 0
  private let path: [String]

  /// Creates a cursor at the first bit.
  ///
  /// - Parameters:
  ///   - bytes: The bits, without emulation prevention bytes.
  ///   - path: The enclosing structures, outermost first, for errors.
  package init(_ bytes: [UInt8], path: [String] = []) {
    self.bytes = bytes
    self.path = path
  }

  /// The number of bits left.
  package var remaining: Int { bytes.count * 8 - position }

  /// Reads up to 32 bits as an unsigned number.
  package mutating func readBits(_ count: Int, as what: String) throws(CaptureReadingError)
    -> UInt32
  {
    precondition((0...32).contains(count), "a read takes 0 to 32 bits, not \(count)")
    guard count <= remaining else {
      throw malformed(expected: "\(count) bits of \(what)", found: "\(remaining) bits left")
    }
    var value: UInt32 = 0
    for _ in 0..<count {
      let bit = (bytes[position >> 3] >> UInt8(7 - position & 7)) & 1
      value = (value << 1) | UInt32(bit)
      position += 1
    }
    return value
  }

  /// Reads one bit as a flag.
  package mutating func readFlag(_ what: String) throws(CaptureReadingError) -> Bool {
    try readBits(1, as: what) == 1
  }

  /// Skips any number of bits.
  package mutating func skip(_ count: Int, as what: String) throws(CaptureReadingError) {
    guard count >= 0, count <= remaining else {
      throw malformed(expected: "\(count) bits of \(what)", found: "\(remaining) bits left")
    }
    position += count
  }

  /// Reads an unsigned Exp-Golomb code, `ue(v)` of ITU-T H.265 §9.2.
  ///
  /// - Throws: `.malformed` for a code over `maximum` or longer than 32 zeros.
  package mutating func readGolomb(
    _ what: String, atMost maximum: UInt32 = .max - 1
  ) throws(CaptureReadingError) -> UInt32 {
    var zeros = 0
    while try !readFlag(what) {
      zeros += 1
      guard zeros < 32 else { throw malformed(expected: "\(what) of 32 bits", found: "more bits") }
    }
    // 2^zeros − 1 + suffix fits, since zeros is below 32 and the suffix below 2^zeros.
    let value = (UInt32(1) << UInt32(zeros)) - 1 + (try readBits(zeros, as: what))
    guard value <= maximum else {
      throw malformed(expected: "\(what) of at most \(maximum)", found: "\(value)")
    }
    return value
  }

  /// Reads a signed Exp-Golomb code, `se(v)` of ITU-T H.265 §9.2.2.
  package mutating func readSignedGolomb(_ what: String) throws(CaptureReadingError) -> Int {
    let code = Int(try readGolomb(what))
    return code & 1 == 1 ? (code + 1) / 2 : -(code / 2)
  }

  /// An error at this position.
  package func malformed(expected: String, found: String) -> CaptureReadingError {
    CaptureReadingError(.malformed, path: path, expected: expected, found: found)
  }
}
