import PlumblineTestSupport
import Testing
@testable import PlumblineIO
/// What is packed comes back, and names nothing of this machine.
@Suite struct GzipStreamTests {
  @Test(arguments: [0, 1, 1000, 200_000])
  func comesBack(count: Int) throws {
    var generator = SeededGenerator(seed: UInt64(count))
    let bytes = (0..<count).map { _ in UInt8.random(in: 0..<16, using: &generator) }
    let packed = GzipStream.deflated(bytes, level: 9)
    #expect(packed.prefix(10) == [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255])
    #expect(try RawDeflate.inflated(packed[10..<packed.count - 8], exactly: count) == bytes)
    let tail = packed.suffix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    #expect(tail == UInt64(count) << 32 | UInt64(ZlibStream.crc32(bytes[...])))
    #expect(count < 1000 || packed.count < count)
  }
}
