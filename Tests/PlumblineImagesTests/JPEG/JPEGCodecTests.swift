import Foundation
import PlumblineImages
import PlumblineIO
import PlumblineModel
import PlumblineStreams
import PlumblineTestSupport
import Testing

@Suite("JPEG codec")
struct JPEGCodecTests {
  let ramp = Raster<UInt8>(size: RasterSize(width: 97, height: 61)) { x, y in
    UInt8((x + 2 * y) & 0xFF)
  }
  let color = Raster<RGB8>(size: RasterSize(width: 101, height: 75)) { x, y in
    RGB8(red: UInt8(2 * x), green: UInt8(3 * y), blue: UInt8(x + y))
  }

  @Test("Gray comes back within the quantization of the best quality, and the same every time")
  func gray() throws {
    let bytes = try JPEGEncoder(quality: 100).encoded(ramp)
    #expect(try JPEGEncoder(quality: 100).encoded(ramp) == bytes)
    let samples = try JPEGFile(bytes[...]).primary.storedSamples()
    guard case .uint8(let raster) = samples else {
      Issue.record("8 bits expected")
      return
    }
    let worst = zip(raster.samples, ramp.samples).map { abs(Int($0) - Int($1)) }.max()
    // Quality 100 has steps of 1; rounding before and after the transform gives at most 2 codes.
    #expect(worst.map { $0 <= 2 } == true)
  }

  @Test("Color comes back, and reduced sizes round up", arguments: JPEGScale.allCases)
  func scales(scale: JPEGScale) throws {
    let bytes = try JPEGEncoder(quality: 98, chromaSampling: .full).encoded(color)
    let result = try JPEGFile(bytes[...]).primary.color(scale: scale)
    let d = scale.rawValue
    #expect(result.raster.size == RasterSize(width: (101 + d - 1) / d, height: (75 + d - 1) / d))
    #expect(result.notes.isEmpty)
    guard scale == .full else { return }
    let worst = zip(result.raster.samples, color.samples).map { a, b in
      max(
        abs(Int(a.red) - Int(b.red)), abs(Int(a.green) - Int(b.green)),
        abs(Int(a.blue) - Int(b.blue)))
    }.max()
    // Color conversion at 8 bits adds 1 to 2 codes to the transform's rounding at quality 98.
    #expect(worst.map { $0 <= 6 } == true)
  }

  @Test("Depth of a cut image is an error, and so is its color")
  func truncated() throws {
    let gray = try JPEGEncoder(quality: 90).encoded(ramp)
    for length in ByteDamage.truncations(of: gray.count, steps: 50) {
      #expect(throws: CaptureReadingError.self) {
        try JPEGFile(gray[..<length]).primary.storedSamples()
      }
    }
    let bytes = try JPEGEncoder(quality: 90).encoded(color)
    #expect(throws: CaptureReadingError.self) {
      try JPEGFile(bytes[..<(bytes.count * 3 / 4)]).primary.color()
    }
  }

  @Test("Depth whose end marker is there but whose data are not is an error")
  func missingData() throws {
    let gray = try JPEGEncoder(quality: 90).encoded(ramp)
    let image = try JPEGFile((gray[..<(gray.count / 2)] + [0xFF, 0xD9])[...]).primary
    #expect(image.isComplete)
    let error = #expect(throws: CaptureReadingError.self) { try image.storedSamples() }
    #expect(error?.reason == .malformed)
  }

  @Test("Refuses images over a pixel limit before decoding")
  func limit() throws {
    var limits = ReadingLimits()
    limits.auxiliaryPixels = 97 * 61 - 1
    limits.colorPixels = 101 * 75 - 1
    let gray = try JPEGFile(try JPEGEncoder(quality: 90).encoded(ramp)[...]).primary
    let wide = try JPEGFile(try JPEGEncoder(quality: 90).encoded(color)[...]).primary
    let errors = [
      #expect(throws: CaptureReadingError.self) { try gray.storedSamples(limits: limits) },
      #expect(throws: CaptureReadingError.self) { try wide.color(limits: limits) },
    ]
    #expect(errors.map(\.?.reason) == [.limitExceeded, .limitExceeded])
  }

  @Test(
    "Decodes the depth of a real iPhone X, bit for bit as libjpeg does",
    .enabled(if: RealData.isPresent, "\(RealData.absence)"),
    .enabled(if: PythonPeer.has("PIL"), "\(PythonPeer.absence("PIL"))"))
  func iPhoneX() throws {
    let path = "photos/iphonex_dual_depth.jpg"
    let file = try JPEGFile(try RealData.bytes(path)[...])
    let image = try #require(file.images.last)
    guard case .uint8(let raster) = try image.storedSamples() else {
      Issue.record("8 bits expected")
      return
    }
    #expect(raster.size == RasterSize(width: 576, height: 768))
    let peer = try PythonPeer.run(
      "jpeg_gray.py", try RealData.url(path).path, "\(image.range.lowerBound)",
      "\(image.range.count)")
    #expect(raster.packed.samples == peer)
  }
}
