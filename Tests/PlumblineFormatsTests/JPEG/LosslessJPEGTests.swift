import Foundation
import PlumblineFormats
import PlumblineModel
import PlumblineTestSupport
import Testing

@Suite("Lossless JPEG")
struct LosslessJPEGTests {
  /// Smooth ground with noise and extremes, so that every magnitude occurs.
  func raster(_ precision: Int, width: Int = 37, height: Int = 23) -> Raster<UInt16> {
    var random = SeededGenerator(seed: UInt64(precision))
    let maximum = (1 << precision) - 1
    return Raster(size: RasterSize(width: width, height: height)) { x, y in
      let noise = Int(random.next() % 64)
      switch noise {
      case 0: return 0
      case 1: return UInt16(maximum)
      case 2: return UInt16(random.next() % UInt64(maximum + 1))
      default: return UInt16((maximum * (x + y) / (width + height) + noise) & maximum)
      }
    }
  }

  func decoded(_ bytes: [UInt8]) throws -> [UInt16] {
    switch try JPEGFile(bytes[...]).primary.storedSamples() {
    case .uint8(let raster): raster.samples.map(UInt16.init)
    case .uint16(let raster, _): raster.samples
    }
  }

  @Test("Returns what was written, for every predictor and precision", arguments: 1...7)
  func predictors(predictor: Int) throws {
    for precision in 2...16 {
      var encoder = LosslessJPEGEncoder(precision: precision)
      encoder.predictor = predictor
      let raster = raster(precision)
      let bytes = encoder.encoded(raster)
      #expect(try decoded(bytes) == raster.samples, "\(precision) bits")
      encoder.rowsPerRestart = 2
      #expect(try decoded(encoder.encoded(raster)) == raster.samples, "restarts")
      if case .uint16(_, let depth) = try JPEGFile(bytes[...]).primary.storedSamples() {
        #expect(depth == precision)
      }
    }
  }

  @Test("A point transform drops exactly the low bits", arguments: [1, 4])
  func pointTransform(bits: Int) throws {
    var encoder = LosslessJPEGEncoder(precision: 12)
    encoder.pointTransform = bits
    encoder.predictor = 4
    let raster = raster(12)
    #expect(try decoded(encoder.encoded(raster)) == raster.samples.map { ($0 >> bits) << bits })
  }

  @Test("Any cut is an error, and any flip is an error or a whole image")
  func damage() {
    var encoder = LosslessJPEGEncoder(precision: 16)
    encoder.rowsPerRestart = 4
    let bytes = encoder.encoded(raster(16))
    for length in ByteDamage.truncations(of: bytes.count) {
      #expect(throws: CaptureReadingError.self) { try decoded(Array(bytes[..<length])) }
    }
    for seed in 0..<2_000 {
      _ = try? decoded(ByteDamage.flipped(bytes, seed: UInt64(seed)))
    }
  }

  @Test("Refuses a size that its data cannot hold before memory is taken for it")
  func amplification() {
    var bytes = LosslessJPEGEncoder(precision: 8).encoded(raster(8, width: 8, height: 8))
    bytes.replaceSubrange(7..<11, with: [0x0F, 0xFF, 0x0F, 0xFF])
    let error = #expect(throws: CaptureReadingError.self) { try decoded(bytes) }
    #expect(error?.reason == .malformed)
  }

  @Test(
    "Agrees with another decoder and another encoder",
    .enabled(if: PythonPeer.has("imagecodecs"), "\(PythonPeer.absence("imagecodecs"))"),
    arguments: [8, 12, 16])
  func peer(precision: Int) throws {
    let raster = raster(precision, width: 64, height: 48)
    let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let ours = folder.appending(path: "ours.jpg")
    try Data(LosslessJPEGEncoder(precision: precision).encoded(raster)).write(to: ours)
    let samples = raster.samples.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    #expect(try PythonPeer.run("lossless_jpeg.py", "decode", ours.path) == samples)

    let raw = folder.appending(path: "raw")
    try Data(samples).write(to: raw)
    let theirs = try PythonPeer.run(
      "lossless_jpeg.py", "encode", raw.path, "64", "48", "\(precision)")
    #expect(try decoded(theirs) == raster.samples)
  }
}
