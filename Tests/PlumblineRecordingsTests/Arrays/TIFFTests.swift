import PlumblineModel
import PlumblineTestSupport
import Testing
@testable import PlumblineImages
@testable import PlumblineIO
struct TIFFTests {
  /// A little-endian file of one strip with these tags beside the usual ones.
  static func file(
    _ tags: [UInt16: UInt32] = [:], width: UInt32 = 2, height: UInt32 = 2, bits: UInt32 = 16,
    data: [UInt8] = [1, 0, 2, 0, 3, 0, 0, 1]
  ) -> [UInt8] {
    var all: [UInt16: UInt32] = [
      256: width, 257: height, 258: bits, 259: 1, 262: 1, 277: 1, 278: height,
      279: UInt32(data.count),
    ]
    all.merge(tags) { $1 }
    let start = 8 + 2 + 12 * (all.count + 1) + 4
    all[273] = tags[273] ?? UInt32(start)
    func bytes(_ value: UInt32, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * UInt32($0))) }
    }
    var file: [UInt8] = [0x49, 0x49, 0x2A, 0, 8, 0, 0, 0] + bytes(UInt32(all.count), 2)
    for (tag, value) in all.sorted(by: { $0.key < $1.key }) {
      file += bytes(UInt32(tag), 2) + bytes(4, 2) + bytes(1, 4) + bytes(value, 4)
    }
    return file + [0, 0, 0, 0] + data
  }

  @Test func readsAStrip() throws {
    let image = try TIFFImage(Self.file()[...])
    #expect(
      image.values
        == .uint16(Raster(size: RasterSize(width: 2, height: 2), samples: [1, 2, 3, 256])))
  }

  @Test(
    arguments: [
      ([259: 7], "JPEG"), ([259: 50000], "Zstandard"), ([277: 3], "3 numbers"),
      ([339: 2], "signed"),
      ([274: 6], "orientation"), ([262: 0], "photometric"), ([317: 3], "3"), ([258: 12], "12 bits"),
      // libtiff leaves the predictor out here and other readers do not: found beside it.
      ([317: 2], "different ways"), ([317: 2, 259: 32773], "different ways"),
    ] as [([UInt16: UInt32], String)])
  func namesWhatItDoesNotRead(tags: [UInt16: UInt32], word: String) {
    do throws(CaptureReadingError) {
      _ = try TIFFImage(Self.file(tags)[...])
      Issue.record("read \(tags)")
    } catch {
      #expect(error.reason == .unsupported && "\(error)".contains(word), "\(error)")
    }
  }

  @Test(
    arguments: [
      [273: 4_000_000_000], [279: 4_000_000_000], [279: 7], [278: 0], [256: 0], [257: 3],
      [322: 16, 323: 0], [322: 16, 323: 16, 324: 8, 325: 4],
    ] as [[UInt16: UInt32]])
  func refusesDamage(tags: [UInt16: UInt32]) {
    do throws(CaptureReadingError) {
      _ = try TIFFImage(Self.file(tags)[...])
      Issue.record("read \(tags)")
    } catch { #expect(error.reason == .malformed, "\(error)") }
  }

  @Test(
    arguments: [
      [256: 60_000, 257: 60_000], [322: 1_000_000, 323: 1_000_000],
      [256: 1, 257: 16_000_000, 322: 4000, 323: 4000],
    ] as [[UInt16: UInt32]])
  func refusesSizesBeforeTheyAreAllocated(tags: [UInt16: UInt32]) {
    do throws(CaptureReadingError) {
      _ = try TIFFImage(Self.file(tags)[...])
      Issue.record("read \(tags)")
    } catch { #expect(error.reason == .limitExceeded, "\(error)") }
  }

  @Test func damageNeverTraps() {
    for code in [1, 5, 8, 32773] as [UInt32] {
      let sound = Self.file(
        [259: code], width: 16, height: 16, bits: 8,
        data: (0..<256).map { UInt8(truncatingIfNeeded: $0 &* 37) })
      for length in ByteDamage.truncations(of: sound.count, steps: 100) {
        _ = try? TIFFImage(sound[..<length])
      }
      for seed in 0..<500 {
        _ = try? TIFFImage(ByteDamage.flipped(sound, seed: UInt64(seed))[...])
      }
    }
  }
}
