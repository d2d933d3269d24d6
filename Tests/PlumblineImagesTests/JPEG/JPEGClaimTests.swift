import PlumblineModel
import PlumblineTestSupport
import Testing
@testable import PlumblineImages
@testable import PlumblineIO
@testable import PlumblineStreams
/// A JPEG image that claims more pixels than its bytes can hold is refused before any work.
@Suite("JPEG: claimed sizes")
struct JPEGClaimTests {
  /// An image of noise whose frame header claims another size.
  private func claiming(
    _ size: RasterSize, isColor: Bool = false, marker: UInt8 = 0xC0
  ) throws -> [UInt8] {
    let side = RasterSize(width: 200, height: 200)
    var generator = SeededGenerator(seed: 5)
    let noise = (0..<side.pixelCount).map { _ in UInt8.random(in: 0...255, using: &generator) }
    let gray = Raster(size: side, samples: noise)
    var bytes =
      isColor
      ? try JPEGEncoder(quality: 95).encoded(gray.map { RGB8(red: $0, green: 255 - $0, blue: 9) })
      : try JPEGEncoder(quality: 95).encoded(gray)
    let frame = try #require(
      bytes.indices.dropLast().first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC0 })
    bytes[frame + 1] = marker
    for (place, side) in [(5, size.height), (7, size.width)] {
      bytes[frame + place] = UInt8(side >> 8)
      bytes[frame + place + 1] = UInt8(side & 255)
    }
    return bytes
  }

  private let huge = RasterSize(width: 8_000, height: 12_000)

  @Test("The error says both numbers, for color and without it, and the file is refused")
  func refused() throws {
    let bytes = try claiming(huge)
    let image = try JPEGFile(bytes[...]).primary
    // 1000 × 1500 blocks of two bits.
    for scale in [JPEGScale.full, .eighth] {
      let error = #expect(throws: CaptureReadingError.self) { _ = try image.color(scale: scale) }
      #expect(error?.reason == .malformed)
      #expect(
        error?.expected == "at least 375000 bytes of compressed data for 8000×12000 pixels")
      #expect(error?.found == "\(image.compressedBytes)")
      #expect(image.compressedBytes < bytes.count && image.compressedBytes > bytes.count - 1_000)
    }
    for request in [CaptureReader.ColorRequest.none, .full, .preview(maximumSide: 100)] {
      #expect(throws: CaptureReadingError.self) {
        _ = try CaptureReader(color: request).capture(from: bytes)
      }
    }
  }

  @Test("Depth maps and mattes too")
  func luma() throws {
    let bytes = try claiming(RasterSize(width: 4_000, height: 4_000))
    let error = #expect(throws: CaptureReadingError.self) {
      _ = try JPEGFile(bytes[...]).primary.storedSamples()
    }
    #expect(error?.expected.hasPrefix("at least 62500 bytes") == true)
  }

  @Test("Bytes in segments do not count")
  func padded() throws {
    var bytes = try claiming(huge)
    let segment = [0xFF, 0xEB, 0xFF, 0xFF] + [UInt8](repeating: 7, count: 65_533)
    for _ in 0..<10 { bytes.insert(contentsOf: segment, at: 2) }
    let error = #expect(throws: CaptureReadingError.self) {
      _ = try JPEGFile(bytes[...]).primary.color()
    }
    #expect(error?.expected.hasPrefix("at least 375000 bytes") == true)
  }

  @Test("The least size of each way of coding, by the standard")
  func least() throws {
    func bits(_ marker: UInt8, isColor: Bool) throws -> Int {
      let bytes = try claiming(RasterSize(width: 33, height: 17), isColor: isColor, marker: marker)
      return try #require(JPEGFile(bytes[...]).primary.frame).leastBits
    }
    // 33 × 17 pixels are 5 × 3 blocks; at 4:2:0 each chroma has 17 × 9 samples, 3 × 2 blocks.
    #expect(try bits(0xC0, isColor: false) == 2 * 15)
    #expect(try bits(0xC1, isColor: true) == 2 * (15 + 6 + 6))
    #expect(try bits(0xC2, isColor: true) == 15 + 6 + 6)
    #expect(try bits(0xC3, isColor: false) == 33 * 17)
  }

  @Test("A sound image of one color passes at any size, coded as short as the encoder can")
  func flat() throws {
    let size = RasterSize(width: 3_000, height: 2_000)
    let white = Raster(size: size, repeating: RGB8(red: 255, green: 255, blue: 255))
    let bytes = try JPEGEncoder(quality: 1).encoded(white)
    let image = try JPEGFile(bytes[...]).primary
    #expect(size.pixelCount > ReadingLimits().unbackedJPEGPixels)
    #expect(image.compressedBytes < bytes.count)
    #expect(try image.color().raster.size == size)
  }
}
