import PlumblineCapture
import PlumblineImages
import PlumblineModel
import PlumblineRecordings
import PlumblineTestSupport
import Testing

@Suite("Color files of a live camera")
struct ColorFileTests {
  static let size = RasterSize(width: 96, height: 64)

  /// A colored image without sharp edges, as cameras see.
  static func image(
    _ range: BiplanarImage.LumaRange = .full, _ matrix: BiplanarImage.Matrix = .bt601
  ) throws -> BiplanarImage {
    let luma = Raster<UInt8>(size: size) { x, y in UInt8(40 + x + y) }
    let chroma = Raster<UInt16>(size: RasterSize(width: 48, height: 32)) { x, y in
      let (blue, red) = (UInt16(90 + 2 * y), UInt16(60 + 3 * x))
      return red << 8 | blue
    }
    return try #require(BiplanarImage(luma: luma, chroma: chroma, range: range, matrix: matrix))
  }

  static func jpeg(_ raster: Raster<RGB8>) throws -> [UInt8] {
    try JPEGEncoder(quality: 95).encoded(raster)
  }

  @Test("A good device encoder is used for every frame, and checked on the first alone")
  func good() throws {
    let image = try Self.image()
    let bytes = try Self.jpeg(image.rgb)
    var maker = ColorFileMaker(quality: 95)
    for _ in 0..<5 {
      let file = maker.file(of: image) { bytes }
      #expect(file == EncodedImage(.jpeg, bytes: bytes) && maker.refusal == nil)
    }
    // Not decoded again: what changes later is not noticed, and costs nothing.
    let later = maker.file(of: image) { [1, 2, 3] }
    #expect(later?.bytes == [1, 2, 3])
  }

  @Test(
    "Swapped chroma, a confused range, another size or half a file: software takes over, and says why"
  )
  func refusals() throws {
    let image = try Self.image()
    var confused = image
    confused.range = .video
    let exchanged: Raster<UInt16> = image.chroma.map { pair in pair << 8 | pair >> 8 }
    let swapped = try #require(
      BiplanarImage(luma: image.luma, chroma: exchanged, range: .full))
    let good = try Self.jpeg(image.rgb)
    for (bytes, word) in [
      (try Self.jpeg(swapped.rgb), "off by"), (try Self.jpeg(confused.rgb), "off by"),
      (try Self.jpeg(image.rgb(maximumSide: 48)), "48×32 instead of 96×64"),
      (Array(good.prefix(good.count / 2)), "cannot be read"), ([], "cannot be read"),
    ] {
      var maker = ColorFileMaker(quality: 95)
      var calls = 0
      for _ in 0..<3 {
        let file = maker.file(of: image) {
          calls += 1
          return bytes
        }
        let decoded = try Self.decoded(try #require(file))
        #expect(decoded.size == Self.size)
        #expect(try Self.meanDifference(decoded, image.rgb) < 2)
      }
      let text = try #require(maker.refusal?.description)
      #expect(calls == 1 && text.contains(word), "\(text)")
    }
  }

  @Test("Three failures in a row end the attempts; fewer do not, and no frame is without color")
  func failures() throws {
    let image = try Self.image()
    let bytes = try Self.jpeg(image.rgb)
    var maker = ColorFileMaker(quality: 95)
    for answer in [nil, nil, bytes, nil, nil] {
      let file = maker.file(of: image) { answer }
      #expect(file != nil && maker.refusal == nil)
    }
    let last = maker.file(of: image) { nil }
    #expect(last != nil && maker.refusal == .failures(3))
  }

  @Test("Pixels that JPEG does not have are never given to the device's encoder")
  func pixels() throws {
    for image in [try Self.image(.video), try Self.image(.full, .bt709)] {
      var maker = ColorFileMaker(quality: 90)
      let file = maker.file(of: image) {
        Issue.record("the device was asked")
        return nil
      }
      #expect(maker.refusal == .pixels)
      #expect(try Self.meanDifference(Self.decoded(try #require(file)), image.rgb) < 3)
    }
  }

  @Test("A capture has pixels of full size, or a file of full size and a small image beside it")
  func captures() throws {
    let image = try Self.image()
    var maker = ColorFileMaker(quality: 95)
    var plain = Capture(source: CaptureSource())
    plain.setColor(image, as: .pixels, &maker) { nil }
    #expect(plain.color?.size == Self.size && plain.colorFile == nil)
    #expect(plain.colorSize == Self.size)
    var filed = Capture(source: CaptureSource())
    filed.setColor(image, as: .file(quality: 95, previewSide: 32), &maker) { nil }
    #expect(filed.color?.size == RasterSize(width: 32, height: 21))
    #expect(filed.colorSize == Self.size && filed.colorFile?.kind == .jpeg)
    // Consumers that want pixels get those of full size.
    #expect(try filed.decodedColor()?.size == Self.size)
  }

  private static func decoded(_ file: EncodedImage) throws -> Raster<RGB8> {
    try JPEGImage(file.bytes[...], origin: .primary, limits: ReadingLimits()).color().raster
  }

  private static func meanDifference(_ a: Raster<RGB8>, _ b: Raster<RGB8>) throws -> Double {
    let (first, second) = (a.packed.samples, b.packed.samples)
    try #require(first.count == second.count)
    let sum = zip(first, second).reduce(0) { sum, pair in
      sum + abs(Int(pair.0.red) - Int(pair.1.red)) + abs(Int(pair.0.green) - Int(pair.1.green))
        + abs(Int(pair.0.blue) - Int(pair.1.blue))
    }
    return Double(sum) / Double(3 * first.count)
  }
}
