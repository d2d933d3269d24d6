import Foundation
import PlumblineModel
import PlumblineTestSupport
import Testing
@testable import PlumblineImages
@testable import PlumblineIO
@Suite("PNG")
struct PNGTests {
  let size = RasterSize(width: 41, height: 29)
  var gray8: Raster<UInt8> { Raster(size: size) { x, y in UInt8((x * 7 + y * y) & 0xFF) } }
  var gray16: Raster<UInt16> { Raster(size: size) { x, y in UInt16((x * 997 + y * 131) & 0xFFFF) } }
  var color: Raster<RGB8> {
    Raster(size: size) { x, y in
      RGB8(red: UInt8(x), green: UInt8(y * 3), blue: UInt8((x * y) & 0xFF))
    }
  }

  @Test("Returns what was written, at every level, and the same bytes every time")
  func roundTrip() throws {
    for level in [1, 6, 9] {
      let encoder = PNGEncoder(level: level)
      #expect(encoder.encoded(gray16) == encoder.encoded(gray16))
      #expect(try PNGImage(encoder.encoded(gray8)[...]) == .gray(.uint8(gray8)))
      #expect(
        try PNGImage(encoder.encoded(gray16)[...]) == .gray(.uint16(gray16, bitDepth: 16)))
      #expect(try PNGImage(encoder.encoded(color)[...]) == .color(color))
    }
  }

  @Test("Takes color of equal channels as gray, and refuses other color as depth")
  func grayInColor() throws {
    let equal = gray8.map { RGB8(red: $0, green: $0, blue: $0) }
    #expect(
      try PNGImage(PNGEncoder().encoded(equal)[...]).storedSamples() == .uint8(gray8))
    let error = #expect(throws: CaptureReadingError.self) {
      try PNGImage(PNGEncoder().encoded(color)[...]).storedSamples()
    }
    #expect(error?.reason == .unsupported)
  }

  @Test("Refuses every cut and nearly every flip, and never crashes")
  func damage() {
    let bytes = PNGEncoder().encoded(gray16)
    for length in bytes.indices {
      #expect(throws: CaptureReadingError.self) { try PNGImage(bytes[..<length]) }
    }
    for seed in 0..<2_000 {
      let damaged = ByteDamage.flipped(bytes, seed: UInt64(seed))
      guard damaged != bytes else { continue }
      #expect(throws: CaptureReadingError.self) { try PNGImage(damaged[...]) }
    }
  }

  /// Found beside libpng; MNG's filter method 64 would give other pixels from the same bytes.
  @Test("Refuses compression and filter methods that PNG does not have", arguments: [10, 11])
  func methods(place: Int) {
    var bytes = PNGEncoder().encoded(gray8)
    bytes[16 + place] = 64
    let checksum = ZlibStream.crc32(bytes[12..<29])
    for index in 0..<4 {
      bytes[29 + index] = UInt8(truncatingIfNeeded: checksum >> (24 - 8 * UInt32(index)))
    }
    let error = #expect(throws: CaptureReadingError.self) { try PNGImage(bytes[...]) }
    #expect(error?.reason == .unsupported)
  }

  @Test("Refuses pixel counts over the limit, and lengths over the file")
  func limits() {
    var limits = ReadingLimits()
    limits.auxiliaryPixels = size.pixelCount - 1
    let error = #expect(throws: CaptureReadingError.self) {
      try PNGImage(PNGEncoder().encoded(gray8)[...], limits: limits)
    }
    #expect(error?.reason == .limitExceeded)
  }

  @Test(
    "OpenCV reads what is written here, and is read here with all its filters",
    .enabled(if: PythonPeer.has("cv2"), "\(PythonPeer.absence("cv2"))"))
  func peer() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).png")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(PNGEncoder().encoded(gray16)).write(to: file)
    let little = gray16.samples.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    #expect(try PythonPeer.run("png_samples.py", file.path) == little)
    try Data(PNGEncoder().encoded(color)).write(to: file)
    #expect(
      try PythonPeer.run("png_samples.py", file.path)
        == color.samples.flatMap { [$0.red, $0.green, $0.blue] })
  }

  @Test(
    "Reads real PNG files as OpenCV does",
    .enabled(if: RealData.isPresent, "\(RealData.absence)"),
    .enabled(if: PythonPeer.has("cv2"), "\(PythonPeer.absence("cv2"))"),
    arguments: ["faces/astronaut.png", "noisy-rgbd/0/raw_depth.png"])
  func real(path: String) throws {
    let bytes = try RealData.bytes(path)
    let samples: [UInt8] =
      switch try PNGImage(bytes[...]) {
      case .gray(.uint8(let raster)): raster.samples
      case .gray(.uint16(let raster, _)):
        raster.samples.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
      case .color(let raster): raster.samples.flatMap { [$0.red, $0.green, $0.blue] }
      }
    #expect(try PythonPeer.run("png_samples.py", try RealData.url(path).path) == samples)
  }
}
