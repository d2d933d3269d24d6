import PlumblineTestSupport
import Testing
@testable import PlumblineIO
struct CRC32Tests {
  /// One bit a step, as the definition says.
  private func slow(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    var register = UInt32.max
    for byte in bytes {
      register ^= UInt32(byte)
      for _ in 0..<8 {
        register = (register >> 1) ^ (register & 1 == 1 ? 0xEDB8_8320 : 0)
      }
    }
    return ~register
  }

  @Test func checkValueOfTheDefinition() {
    #expect(CRC32(of: Array("123456789".utf8)[...]).value == 0xCBF4_3926)
    #expect(CRC32(of: []).value == 0)
  }

  @Test func everyLengthAndAlignmentEqualsTheSlowTwin() {
    var generator = SeededGenerator(seed: 32)
    let bytes = (0..<1_200).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
    for start in 0..<17 {
      for count in Array(0..<200) + [255, 256, 257, 511, 512, 640, 1_023, 1_100] {
        let slice = bytes[start..<(start + count)]
        #expect(CRC32(of: slice).value == slow(slice), "\(count) bytes from \(start)")
      }
    }
  }

  @Test func piecesGiveTheWhole() {
    var generator = SeededGenerator(seed: 33)
    let bytes = (0..<5_000).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
    for _ in 0..<50 {
      var sum = CRC32()
      var start = 0
      while start < bytes.count {
        let end = min(bytes.count, start + Int(generator.next() % 900))
        sum.update(bytes[start..<end])
        start = end
      }
      #expect(sum == CRC32(of: bytes[...]))
    }
  }
}
