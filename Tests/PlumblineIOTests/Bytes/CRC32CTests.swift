import PlumblineIO
import PlumblineTestSupport
import Testing

struct CRC32CTests {
  /// One bit a step, as the definition says.
  private func slow(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    var register = UInt32.max
    for byte in bytes {
      register ^= UInt32(byte)
      for _ in 0..<8 { register = register >> 1 ^ (register & 1 == 1 ? 0x82F6_3B78 : 0) }
    }
    return ~register
  }

  @Test func valuesOfTheDefinition() {
    #expect(CRC32C.value(of: Array("123456789".utf8)[...]) == 0xE306_9283)
    #expect(CRC32C.value(of: []) == 0)
    // RFC 3720, B.4: 32 bytes of 0, of 255, and 0 to 31.
    #expect(CRC32C.value(of: [UInt8](repeating: 0, count: 32)[...]) == 0x8A91_36AA)
    #expect(CRC32C.value(of: [UInt8](repeating: 255, count: 32)[...]) == 0x62A8_AB43)
    #expect(CRC32C.value(of: [UInt8](0..<32)[...]) == 0x46DD_794E)
  }

  @Test func everyLengthAndAlignmentEqualsTheSlowTwin() {
    var generator = SeededGenerator(seed: 320)
    let bytes = (0..<1_100).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
    for start in 0..<9 {
      for count in Array(0..<80) + [255, 1_019, 1_020, 1_021] {
        let slice = bytes[start..<start + count]
        #expect(CRC32C.value(of: slice) == slow(slice), "\(count) bytes from \(start)")
      }
    }
  }
}
