import PlumblineModel
import PlumblineTestSupport
import Testing
@testable import PlumblineImages
@Suite("HEIF: writing")
struct HEIFPhotoWriterTests {
  @Test("What is written comes back: all of it but the color exactly", arguments: 0..<24)
  func roundTrip(seed: UInt64) throws {
    let contents = SampleContents.photo(seed: seed)
    let bytes = try HEIFPhotoWriter().bytes(of: contents, options: SampleContents.raw)
    let read = try PhotoContents(heif: bytes, CaptureReader())
    #expect(differences(contents, read) == [])
    // Raw color loses its chroma's resolution and rounds: nothing in its luma beyond a code.
    let (x, y) = (contents.color.width / 2, contents.color.height / 2)
    func luma(_ pixel: RGB8) -> Double {
      0.299 * Double(pixel.red) + 0.587 * Double(pixel.green) + 0.114 * Double(pixel.blue)
    }
    #expect(abs(luma(contents.color[x, y]) - luma(read.color[x, y])) < 12)
    // Again written from what was read: the same file but for the color.
    var again = read
    again.color = contents.color
    #expect(try HEIFPhotoWriter().bytes(of: again, options: SampleContents.raw) == bytes)
  }

  @Test("Gray stays what it is, code by code")
  func gray() throws {
    let size = RasterSize(width: 256, height: 4)
    let ramp = Raster(size: size) { x, _ in
      RGB8(red: UInt8(x), green: UInt8(x), blue: UInt8(x))
    }
    let bytes = try HEIFPhotoWriter().bytes(
      of: PhotoContents(color: ramp), options: SampleContents.raw)
    #expect(try PhotoContents(heif: bytes, CaptureReader()).color.samples == ramp.samples)
  }

  @Test("Colors are BT.601 at full range, to half a code")
  func colors() {
    var generator = SeededGenerator(seed: 8)
    for _ in 0..<2_000 {
      let bits = generator.next()
      let pixel = RGB8(
        red: UInt8(truncatingIfNeeded: bits), green: UInt8(truncatingIfNeeded: bits >> 8),
        blue: UInt8(truncatingIfNeeded: bits >> 16))
      let size = RasterSize(width: 2, height: 2)
      let planes = HalvedChroma(Raster(size: size, repeating: pixel), x: 0, y: 0, size: size)
      let (r, g, b) = (Double(pixel.red), Double(pixel.green), Double(pixel.blue))
      let luma = 0.299 * r + 0.587 * g + 0.114 * b
      #expect(abs(Double(planes.luma[3]) - luma) <= 0.501)
      #expect(abs(Double(planes.blue[0]) - min((b - luma) / 1.772 + 128, 255)) <= 0.501)
      #expect(abs(Double(planes.red[0]) - min((r - luma) / 1.402 + 128, 255)) <= 0.501)
    }
  }

  @Test("An image above a megapixel is a grid of tiles of 512")
  func grid() throws {
    let color = colorful(1_030, 1_021)
    let bytes = try HEIFPhotoWriter().bytes(
      of: PhotoContents(color: color), options: SampleContents.raw)
    let file = try HEIFFile(bytes: bytes)
    #expect(file.item(file.primaryItemID)?.type == "grid")
    #expect(file.items(referredToBy: file.primaryItemID, as: "dimg").count == 6)
    #expect(file.items.filter { $0.type == "hvc1" }.allSatisfy { $0.isHidden })
    let read = try PhotoContents(heif: bytes, CaptureReader())
    #expect(read.color.size == color.size)
    let one = try HEIFPhotoWriter().bytes(
      of: PhotoContents(
        color: color.cropped(to: PixelRectangle(x: 0, y: 0, width: 600, height: 600))),
      options: SampleContents.raw)
    let single = try PhotoContents(heif: one, CaptureReader())
    // A tile is a window of the image: the same codes inside.
    #expect(
      single.color.row(100)
        == read.color.cropped(
          to: PixelRectangle(x: 0, y: 0, width: 600, height: 600)
        ).row(100))
  }

  @Test("Without an encoder depth can be written and color says what is missing")
  func absentEncoder() throws {
    let coder = try HEVCImageCoder(.raw, threads: 1)
    let samples = StoredSamples.uint8(Raster(size: RasterSize(width: 70, height: 70), repeating: 9))
    #expect(try coder.code(samples, .lossless).images.count == 1)
    #expect(throws: PhotoWritingError.self) {
      try HEIFPhotoWriter().bytes(
        of: PhotoContents(color: Raster(size: RasterSize(width: 0, height: 0), samples: [])),
        options: SampleContents.raw)
    }
  }

  @Test("A depth map whose values descend is mirrored, so that its values stay")
  func descending() throws {
    var contents = SampleContents.photo(seed: 6)
    let map = try #require(contents.depth)
    let rule = map.quantization
    contents.depth?.quantization = LinearQuantization(
      minimumCode: rule.minimumCode, maximumCode: rule.maximumCode,
      minimumValue: rule.maximumValue, maximumValue: rule.minimumValue)
    let bytes = try HEIFPhotoWriter().bytes(of: contents, options: SampleContents.raw)
    let read = try #require(try PhotoContents(heif: bytes, CaptureReader()).depth)
    let written = try #require(contents.depth)
    #expect(read.quantization.minimumValue < read.quantization.maximumValue)
    let values = zip(
      read.quantization.values(of: read.codes).samples,
      written.quantization.values(of: written.codes).samples)
    #expect(values.allSatisfy { abs($0 - $1) <= 1e-5 * abs($1) })
  }
}
