/// The 32-bit checksum of LZ4 frames.
///
/// - Source: github.com/Cyan4973/xxHash, doc/xxhash_spec.md, "XXH32", with the seed 0.
enum XXH32 {
  private static let primes: (UInt32, UInt32, UInt32, UInt32, UInt32) = (
    0x9E37_79B1, 0x85EB_CA77, 0xC2B2_AE3D, 0x27D4_EB2F, 0x1656_67B1
  )

  /// The checksum of bytes; O(*n*).
  static func digest(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    bytes.withUnsafeBytes { digest($0) }
  }

  /// The checksum of bytes in memory; O(*n*).
  static func digest(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    var place = 0
    var sum: UInt32
    if bytes.count >= 16 {
      var lanes = SIMD4<UInt32>(
        primes.0 &+ primes.1, primes.1, 0, 0 &- primes.0)
      repeat {
        let words = bytes.loadUnaligned(fromByteOffset: place, as: SIMD4<UInt32>.self)
        lanes = lanes &+ words &* SIMD4(repeating: primes.1)
        lanes = (lanes &<< 13 | lanes &>> 19) &* SIMD4(repeating: primes.0)
        place += 16
      } while bytes.count - place >= 16
      sum =
        rotated(lanes[0], 1) &+ rotated(lanes[1], 7) &+ rotated(lanes[2], 12)
        &+ rotated(lanes[3], 18)
    } else {
      sum = primes.4
    }
    sum &+= UInt32(truncatingIfNeeded: bytes.count)
    while bytes.count - place >= 4 {
      let word = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self))
      sum = rotated(sum &+ word &* primes.2, 17) &* primes.3
      place += 4
    }
    while place < bytes.count {
      sum = rotated(sum &+ UInt32(bytes[place]) &* primes.4, 11) &* primes.0
      place += 1
    }
    sum = (sum ^ sum >> 15) &* primes.1
    sum = (sum ^ sum >> 13) &* primes.2
    return sum ^ sum >> 16
  }

  private static func rotated(_ value: UInt32, _ bits: UInt32) -> UInt32 {
    value &<< bits | value &>> (32 &- bits)
  }
}
