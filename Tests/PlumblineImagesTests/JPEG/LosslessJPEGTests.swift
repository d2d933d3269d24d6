import Foundation
import PlumblineImages
import PlumblineIO
import PlumblineModel
import PlumblineStreams
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
      var encoder = PlainLosslessJPEGEncoder(precision: precision)
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
    var encoder = PlainLosslessJPEGEncoder(precision: 12)
    encoder.pointTransform = bits
    encoder.predictor = 4
    let raster = raster(12)
    #expect(try decoded(encoder.encoded(raster)) == raster.samples.map { ($0 >> bits) << bits })
  }

  @Test("Any cut is an error, and any flip is an error or a whole image")
  func damage() {
    var encoder = PlainLosslessJPEGEncoder(precision: 16)
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
    var bytes = PlainLosslessJPEGEncoder(precision: 8).encoded(raster(8, width: 8, height: 8))
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
    try Data(PlainLosslessJPEGEncoder(precision: precision).encoded(raster)).write(to: ours)
    let samples = raster.samples.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    #expect(try PythonPeer.run("lossless_jpeg.py", "decode", ours.path) == samples)

    let raw = folder.appending(path: "raw")
    try Data(samples).write(to: raw)
    let theirs = try PythonPeer.run(
      "lossless_jpeg.py", "encode", raw.path, "64", "48", "\(precision)")
    #expect(try decoded(theirs) == raster.samples)
  }
}

@Suite("Lossless JPEG writer")
struct LosslessJPEGEncoderTests {
  @Test("What is written is read, for every predictor and precision", arguments: 1...7)
  func roundTrip(predictor: Int) throws {
    for precision in [2, 8, 9, 12, 16] {
      for size in [(1, 1), (1, 9), (17, 1), (37, 23)] {
        let raster = LosslessJPEGTests().raster(precision, width: size.0, height: size.1)
        let samples: StoredSamples =
          precision == 8
          ? .uint8(raster.map { UInt8($0) }) : .uint16(raster, bitDepth: precision)
        let bytes = LosslessJPEGEncoder(predictor: predictor).encoded(samples)
        #expect(try LosslessJPEGTests().decoded(bytes) == raster.samples)
      }
    }
  }

  @Test("Values of one kind, steps of 32768 and rare magnitudes keep their bits")
  func extremes() throws {
    let size = RasterSize(width: 64, height: 64)
    // The differences double from one to the next rarer kind: codes of the maximum length.
    let rare = Raster<UInt16>(size: size) { x, y in
      let zeros = (y * 64 + x + 1).trailingZeroBitCount
      return x % 2 == 0 ? 0 : UInt16(truncatingIfNeeded: (1 << zeros) - 1)
    }
    let rasters = [
      Raster<UInt16>(size: size, repeating: 77),
      Raster(size: size) { x, _ in x % 2 == 0 ? 0 : 32_768 },
      Raster(size: size) { x, y in (x + y) % 2 == 0 ? 0 : 65_535 }, rare,
    ]
    for raster in rasters {
      let bytes = LosslessJPEGEncoder().encoded(.uint16(raster, bitDepth: 16))
      #expect(try LosslessJPEGTests().decoded(bytes) == raster.samples)
    }
  }

  @Test("It is never longer than the plain writer's codes of five bits by more than its table")
  func isShort() {
    for precision in [8, 16] {
      let raster = LosslessJPEGTests().raster(precision, width: 64, height: 64)
      let plain = PlainLosslessJPEGEncoder(precision: precision).encoded(raster)
      let ours = LosslessJPEGEncoder().encoded(.uint16(raster, bitDepth: precision))
      #expect(ours.count < plain.count)
    }
  }

  @Test(
    "Another decoder reads the same samples",
    .enabled(if: PythonPeer.has("imagecodecs"), "\(PythonPeer.absence("imagecodecs"))"),
    arguments: [9, 12, 16])
  func peer(precision: Int) throws {
    let raster = LosslessJPEGTests().raster(precision, width: 64, height: 48)
    let folder = try TemporaryFolder()
    try folder.put(
      LosslessJPEGEncoder().encoded(.uint16(raster, bitDepth: precision)), at: "ours.jpg")
    let samples = raster.samples.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    #expect(try PythonPeer.run("lossless_jpeg.py", "decode", folder.file("ours.jpg")) == samples)
  }
}
