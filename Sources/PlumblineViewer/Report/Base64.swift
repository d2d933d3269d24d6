/// Base64 by RFC 4648, section 4, with padding and without line breaks.
package enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  // Two characters at a time: half the look-ups of the plain table, still within the L1 cache.
  private static let pairs: [UInt16] = (0..<4096).map { code in
    UInt16(alphabet[code >> 6]) | UInt16(alphabet[code & 63]) << 8
  }

  /// The bytes as ASCII characters; O(*n*).
  package static func encoded(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    let groups = bytes.count / 3
    let rest = bytes.count % 3
    let length = (groups + (rest > 0 ? 1 : 0)) * 4
    return [UInt8](unsafeUninitializedCapacity: length) { output, count in
      let quartets = UnsafeMutableRawBufferPointer(output)
      pairs.withUnsafeBufferPointer { pairs in
        for group in 0..<groups {
          let bits =
            Int(bytes[3 &* group]) << 16 | Int(bytes[3 &* group &+ 1]) << 8
            | Int(bytes[3 &* group &+ 2])
          let quartet = UInt32(pairs[bits >> 12]) | UInt32(pairs[bits & 4095]) << 16
          quartets.storeBytes(of: quartet.littleEndian, toByteOffset: 4 &* group, as: UInt32.self)
        }
      }
      if rest > 0 {
        let first = Int(bytes[3 * groups])
        let second = rest == 2 ? Int(bytes[3 * groups + 1]) : 0
        output[length - 4] = alphabet[first >> 2]
        output[length - 3] = alphabet[(first & 3) << 4 | second >> 4]
        output[length - 2] = rest == 2 ? alphabet[(second & 15) << 2] : UInt8(ascii: "=")
        output[length - 1] = UInt8(ascii: "=")
      }
      count = length
    }
  }

  /// The bytes of an array as ASCII characters; O(*n*).
  static func encoded(_ bytes: [UInt8]) -> [UInt8] {
    bytes.withUnsafeBytes { encoded($0) }
  }
}
