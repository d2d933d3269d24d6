/// The CRC-32 of ZIP, MCAP and PNG, bit by bit: written apart from the library's, so that the two check
/// each other.
///
/// - Source: ISO/IEC 13239, the polynomial 0x04C11DB7 with reflected bits.
public func crc32(_ bytes: [UInt8]) -> UInt64 {
  var remainder: UInt32 = 0xFFFF_FFFF
  for byte in bytes {
    remainder ^= UInt32(byte)
    for _ in 0..<8 { remainder = remainder >> 1 ^ (remainder & 1 == 1 ? 0xEDB8_8320 : 0) }
  }
  return UInt64(~remainder)
}
