import PlumblineIO
import PlumblineTestSupport
import Testing

@testable import PlumblineStreams

@Suite("LZ4 frames")
struct LZ4FrameTests {
  /// Bytes of several kinds: all equal, random, periods, and text-like mixtures.
  static func samples(seed: UInt64) -> [[UInt8]] {
    var generator = SeededGenerator(seed: seed)
    var samples: [[UInt8]] = [[], [7], Array(repeating: 0, count: 300_000)]
    for count in [2, 4, 5, 11, 12, 13, 14, 17, 64, 255, 270, 271, 65_535, 65_536, 65_537, 200_000] {
      samples.append((0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next()) })
      let period = 1 + Int(generator.next() % 70)
      samples.append((0..<count).map { UInt8(truncatingIfNeeded: $0 % period &* 37) })
      var mixed: [UInt8] = []
      while mixed.count < count {
        if mixed.count > 8, generator.next() % 3 > 0 {
          let size = 1 + Int(generator.next() % 90)
          let start = mixed.count - 1 - Int(generator.next() % UInt64(mixed.count))
          for place in start..<start + size { mixed.append(mixed[place]) }
        } else {
          mixed.append(UInt8(truncatingIfNeeded: generator.next()))
        }
      }
      samples.append(Array(mixed.prefix(count)))
    }
    return samples
  }

  @Test func checksumsAreThoseOfTheDefinition() {
    // doc/xxhash_spec.md does not list values; these are of the reference program xxhsum.
    #expect(XXH32.digest([]) == 0x02CC_5D05)
    #expect(XXH32.digest(Array("a".utf8)[...]) == 0x550D_7456)
    #expect(XXH32.digest(Array("abc".utf8)[...]) == 0x32D1_53FF)
    #expect(
      XXH32.digest(Array("The quick brown fox jumps over the lazy dog".utf8)[...]) == 0xE85E_A4DE)
  }

  @Test func writtenFramesReadBack() throws {
    for sample in Self.samples(seed: 4) {
      let frame = LZ4Frame.encoded(sample[...])
      #expect(try LZ4Frame.decoded(frame[...], exactly: sample.count) == sample)
    }
  }

  @Test func damageIsNamedWithItsPlace() throws {
    let sample = Self.samples(seed: 5)[50]
    let frame = LZ4Frame.encoded(sample[...])
    // Read as a part of a file: the offset in the error is that of the file.
    let file = [UInt8](repeating: 9, count: 100) + frame
    func error(_ change: (inout [UInt8]) -> Void) -> CaptureReadingError? {
      var bytes = file
      change(&bytes)
      do throws(CaptureReadingError) {
        _ = try LZ4Frame.decoded(bytes[100...], exactly: sample.count, path: ["chunk"])
        return nil
      } catch { return error }
    }
    #expect(error { _ in } == nil)
    let magic = error { $0[101] = 0 }
    #expect(magic?.reason == .malformed && magic?.offset == 100)
    #expect(magic?.path == ["chunk", "LZ4"])
    let legacy = error { $0.replaceSubrange(100..<104, with: [0x02, 0x21, 0x4C, 0x18]) }
    #expect(legacy?.reason == .unsupported && legacy?.found.contains("before frames") == true)
    #expect(error { $0[104] = 0x80 | $0[104] & 0x3F }?.reason == .unsupported)
    #expect(error { $0[105] ^= 0x10 }?.expected.contains("checksum") == true)
    #expect(error { $0[104] ^= 2 }?.expected.contains("reserved") == true)
    let dictionary = error { $0[104] |= 1 }
    #expect(dictionary?.reason == .unsupported && dictionary?.found.contains("dictionary") == true)
    let short = error { $0.removeLast(9) }
    #expect(short?.reason == .malformed && (short?.offset ?? 0) > 110)
    #expect(error { $0.append(0) }?.reason == .malformed)
  }

  @Test func aSizeThatCannotBeIsRefusedBeforeMemoryIsAllocated() {
    let frame = LZ4Frame.encoded([UInt8](repeating: 1, count: 1_000)[...])
    #expect(throws: CaptureReadingError.self) {
      try LZ4Frame.decoded(frame[...], exactly: .max)
    }
    for count in [0, 1, 999, 1_001] {
      #expect(throws: CaptureReadingError.self) {
        try LZ4Frame.decoded(frame[...], exactly: count)
      }
    }
  }

  @Test func independentBlocksReferToNothingBeforeThem() throws {
    // Two blocks, of which the second repeats a byte of the first.
    var header = LZ4FrameHeader(forContentOf: 10)
    header.sizeCode = 4
    let first: [UInt8] = [0x50, 1, 2, 3, 4, 5]
    let second: [UInt8] = [0x01, 5, 0, 0x00]
    func frame(linked: Bool) -> [UInt8] {
      header.hasIndependentBlocks = !linked
      var bytes = header.bytes
      for block in [first, second] {
        bytes.appendLittleEndian(UInt32(block.count))
        bytes += block
      }
      return bytes + [0, 0, 0, 0]
    }
    #expect(
      try LZ4Frame.decoded(frame(linked: true)[...], exactly: 10) == [1, 2, 3, 4, 5, 1, 2, 3, 4, 5])
    #expect {
      try LZ4Frame.decoded(frame(linked: false)[...], exactly: 10)
    } throws: {
      ($0 as? CaptureReadingError)?.expected.contains("distance") == true
    }
  }

  @Test func framesFollowOneAnotherAndSomeAreSkipped() throws {
    let skipped: [UInt8] = [0x5A, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 7, 7, 7]
    let frames = skipped + LZ4Frame.encoded([1, 2, 3]) + skipped + LZ4Frame.encoded([4, 5])
    #expect(try LZ4Frame.decoded(frames[...], exactly: 5) == [1, 2, 3, 4, 5])
    #expect(throws: CaptureReadingError.self) {
      try LZ4Frame.decoded(skipped.dropLast(), exactly: 0)
    }
  }
}
