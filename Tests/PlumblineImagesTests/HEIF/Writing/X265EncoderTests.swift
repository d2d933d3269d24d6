import PlumblineModel
import PlumblineTestSupport
import Testing
@testable import PlumblineImages
@testable import PlumblineIO
/// A colorful image with edges, ramps and noise.
func colorful(_ width: Int, _ height: Int, seed: UInt64 = 1) -> Raster<RGB8> {
  var generator = SeededGenerator(seed: seed)
  let size = RasterSize(width: width, height: height)
  return Raster(size: size) { x, y in
    let noise = UInt8(truncatingIfNeeded: generator.next() & 7)
    return RGB8(
      red: UInt8(x * 240 / max(width, 1)) &+ noise, green: UInt8(y * 240 / max(height, 1)) &+ noise,
      blue: (x / 20 + y / 20) % 2 == 0 ? 200 : 40)
  }
}

/// Whether x265 is there, and what a test says when not.
let hasX265 = (try? ProgramFile(named: "x265")) != nil
let x265Absence: Comment = "no program x265: apt install x265"

@Suite("HEVC by x265", .enabled(if: hasX265, x265Absence))
struct X265EncoderTests {
  @Test("Lossless codes come back at every depth that it has", arguments: [8, 10, 12])
  func lossless(bitDepth: Int) throws {
    let codes = mixedCodes(131, 101, bitDepth: bitDepth, seed: 7)
    let samples: StoredSamples =
      bitDepth == 8 ? .uint8(codes.map { UInt8($0) }) : .uint16(codes, bitDepth: bitDepth)
    var contents = PhotoContents(color: colorful(64, 64))
    contents.depth = PhotoDepth(
      codes: samples,
      quantization: LinearQuantization(
        minimumCode: 0, maximumCode: samples.maximumCode, minimumValue: 0.5, maximumValue: 4),
      quantity: .disparity)
    let bytes = try HEIFPhotoWriter().bytes(
      of: contents, options: PhotoWritingOptions(hevc: .x265))
    let read = try PhotoContents(heif: bytes, CaptureReader())
    #expect(read.depth?.codes == samples)
    // Smooth or empty parts are what an encoder is for; noise may even grow.
    let raw = try HEIFPhotoWriter().bytes(of: contents, options: PhotoWritingOptions(hevc: .raw))
    #expect(bytes.count < raw.count)
  }

  @Test("The same bytes for any number of threads")
  func threads() throws {
    let image = colorful(500, 200)
    let windows = stride(from: 0, to: 500, by: 128).flatMap { x in
      stride(from: 0, to: 200, by: 128).map { y in (x: x, y: y) }
    }
    let coded = try [1, 2, 5].map { threads in
      try HEVCImageCoder(.x265, threads: threads).code(
        image, windows, RasterSize(width: 128, height: 128), quality: 80,
        ColorCodes(primaries: 1, transfer: 13, matrix: 6, isFullRange: true))
    }
    #expect(coded[0].images.count == 8)
    #expect(coded[0] == coded[1] && coded[0] == coded[2])
  }

  @Test(
    "Color comes back alike as one image and as tiles, also with odd sides",
    arguments: [(97, 65), (640, 480), (1_101, 1_003)])
  func color(width: Int, height: Int) throws {
    let image = colorful(width, height)
    let bytes = try HEIFPhotoWriter().bytes(
      of: PhotoContents(color: image), options: PhotoWritingOptions(colorQuality: 95))
    let read = try PhotoContents(heif: bytes, CaptureReader())
    #expect(read.color.size == image.size)
    var sum = 0.0
    for y in stride(from: 0, to: height, by: 7) {
      for x in 0..<width {
        let error = Double(read.color[x, y].green) - Double(image[x, y].green)
        sum += error * error
      }
    }
    // Green levels: halved chroma costs some at edges of blue, the quantizer about one.
    #expect((sum / Double(width * ((height + 6) / 7))).squareRoot() < 6)
    // The file states Main Still Picture, not a range extension.
    let file = try HEIFFile(bytes: bytes)
    let tile = file.items.first { $0.type == "hvc1" }?.id ?? 0
    let profile = file.properties(of: tile).lazy.compactMap {
      if case .hevcConfiguration(let value) = $0.property { value.profile } else { nil }
    }.first
    #expect(profile == 3)
  }

  @Test("A better quality has a smaller quantizer, all within the codec's")
  func quantizers() {
    let values = (1...100).map(X265Encoder.quantizer)
    #expect(zip(values, values.dropFirst()).allSatisfy { $0 >= $1 })
    #expect(values.allSatisfy { (0...51).contains($0) })
  }

  @Test("A program that fails is named")
  func failing() throws {
    let encoder = try X265Encoder(
      program: ProgramFile(name: "false", path: "/bin/false"), threads: 1)
    let format = HEVCStillFormat(
      size: RasterSize(width: 64, height: 64), isMonochrome: true, bitDepth: 8,
      color: ColorCodes(primaries: 2, transfer: 2, matrix: 2, isFullRange: true))
    #expect(throws: PhotoWritingError.self) {
      try encoder.code(1, format, .lossless) { _ in [UInt8](repeating: 0, count: 64 * 64) }
    }
    let deaf = try X265Encoder(
      program: ProgramFile(name: "true", path: "/bin/true"), threads: 1)
    #expect(throws: PhotoWritingError.self) {
      try deaf.code(1, format, .lossless) { _ in [UInt8](repeating: 0, count: 64 * 64) }
    }
  }
}
