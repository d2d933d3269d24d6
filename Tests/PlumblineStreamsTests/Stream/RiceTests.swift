import PlumblineTestSupport
import Testing
@testable import PlumblineIO
@testable import PlumblineStreams
/// The kernels against a twin that follows the text of the format bit by bit.
@Suite struct RiceTests {
  /// Maps of every character: smooth, noisy, with holes, constant, without any sense.
  static func map<Code: StreamCode>(
    _ seed: UInt64, hole: Code, as type: Code.Type = Code.self
  ) -> (width: Int, height: Int, samples: [Code]) {
    var generator = SeededGenerator(seed: seed)
    let width = Int(generator.next() % 40) + 1
    let height = Int(generator.next() % 6) + 1
    let noise = Code(1) << Code(generator.next() % UInt64(Code.bitWidth))
    let holes = generator.next() % 3
    let base = Code(truncatingIfNeeded: generator.next() >> 1)
    let samples = (0..<width * height).map { index -> Code in
      let random = generator.next()
      if holes > 0, (random >> 40) % 11 < holes * 3 || (index / 23) % 4 == 1 { return hole }
      if seed % 7 == 0 { return Code(truncatingIfNeeded: random) }
      if seed % 5 == 0 { return base }
      return base &+ Code(truncatingIfNeeded: index / 5) &+ Code(truncatingIfNeeded: random) % noise
    }
    return (width, height, samples)
  }

  private func check<Code: StreamCode>(_ seed: UInt64, hole: Code) throws {
    let map = Self.map(seed, hole: hole)
    let bytes = StreamMapEncoding.rice.bytes(
      map.samples, width: map.width, height: map.height, hole: hole)
    let twin = RiceTwin(width: map.width, height: map.height, hole: hole)
    #expect(RiceTwin.decoded(bytes, width: map.width, height: map.height) == map.samples)
    let slow = twin.encoded(map.samples)
    for bytes in [bytes, slow] {
      let back: [Code] = try StreamMapEncoding.rice.codes(
        bytes[...], width: map.width, height: map.height)
      #expect(back == map.samples, "seed \(seed)")
    }
    // The kernel tries few modes, the twin at all of them: a byte in fifty, or eight.
    #expect(bytes.count <= slow.count + max(8, slow.count / 50), "seed \(seed)")
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func kernelAndTwinReadEachOther(seed: UInt64) throws {
    try check(seed, hole: UInt8(0))
    try check(seed, hole: UInt16(0x7E00))
    try check(seed, hole: UInt32(0x7FC0_0000))
  }

  @Test func theExampleOfThePageIsTrue() throws {
    let samples: [UInt8] = [6, 7, 0, 8, 6, 7, 8, 8]
    let bytes = StreamMapEncoding.rice.bytes(samples, width: 4, height: 2, hole: 0)
    #expect(bytes == [0x00, 0xF6, 0x21, 0x36, 0x41, 0x98])
    #expect(RiceTwin<UInt8>.decoded(bytes, width: 4, height: 2) == samples)
  }

  @Test func everyBitOfAFloatSurvives() throws {
    let patterns: [UInt32] = [
      0x7FC0_0000, 0x7FC0_0001, 0xFFC1_2345, 0x7F80_0001, 0x8000_0000, 0, 1, 0xFFFF_FFFF,
      0x3F80_0000, 0x7F80_0000, 0xFF80_0000, 0x3F80_0001, 0x7FFF_FFFF,
    ]
    for encoding in StreamMapEncoding.allCases {
      let bytes = encoding.bytes(patterns, width: 13, height: 1, hole: 0x7FC0_0000)
      let back: [UInt32] = try encoding.codes(bytes[...], width: 13, height: 1)
      #expect(back == patterns)
    }
    let halves = (0...UInt16.max).map { $0 }
    let bytes = StreamMapEncoding.rice.bytes(halves, width: 256, height: 256, hole: 0x7E00)
    let back: [UInt16] = try StreamMapEncoding.rice.codes(bytes[...], width: 256, height: 256)
    #expect(back == halves)
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func damagedBytesAreRefusedOrAreAnotherMap(seed: UInt64) {
    let map = Self.map(seed, hole: UInt32(0x7FC0_0000))
    let bytes = StreamMapEncoding.rice.bytes(
      map.samples, width: map.width, height: map.height, hole: 0x7FC0_0000)
    for count in 0..<bytes.count {
      let cut = Array(bytes[..<count])
      #expect(throws: CaptureReadingError.self) {
        let _: [UInt32] = try StreamMapEncoding.rice.codes(
          cut[...], width: map.width, height: map.height)
      }
    }
    #expect(throws: CaptureReadingError.self) {
      let _: [UInt32] = try StreamMapEncoding.rice.codes(
        (bytes + [0])[...], width: map.width, height: map.height)
    }
    for place in bytes.indices {
      for flip: UInt8 in [place % 2 == 0 ? 1 : 0xFF] {
        var damaged = bytes
        damaged[place] ^= flip
        let read: [UInt32]? = try? StreamMapEncoding.rice.codes(
          damaged[...], width: map.width, height: map.height)
        let twin = RiceTwin<UInt32>.decoded(damaged, width: map.width, height: map.height)
        #expect(read == twin, "byte \(place) ^ \(flip)")
      }
    }
  }

  @Test func sizesThatNoBytesCanHoldCostNoMemory() {
    #expect(throws: CaptureReadingError.self) {
      let _: [UInt32] = try StreamMapEncoding.rice.codes(
        [0, 0, 0, 0, 0x80][...], width: 1 << 12, height: 1 << 12)
    }
  }
}
