import Foundation
import PlumblineModel
import PlumblineTestSupport
import Testing

@testable import PlumblineIO
@testable import PlumblineImages

/// JPEG images in `Fixtures/codecs` beside the codes that libjpeg-turbo gives for them, as PNG.
///
/// JPEG leaves the rounding of its transform open: another decoder may differ by 1.
@Suite("Codes of decoded JPEG images", .serialized)
struct JPEGFixtureTests {
  #if canImport(CTurboJPEG)
    private static let tolerance = 0
  #else
    private static let tolerance = 1
  #endif
  private static let size = RasterSize(width: 83, height: 61)

  private func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: CodecFixture.folder.appending(path: name)))
  }

  private func write(_ bytes: [UInt8], _ name: String) throws {
    try CodecFixture.write(bytes, name)
    Issue.record("\(name) was recorded anew")
  }

  @Test("Stored codes") func gray() throws {
    if CodecFixture.isRecording {
      var generator = SeededGenerator(seed: 49)
      let map = Raster<UInt8>(size: Self.size) { x, y in
        let code: Int = x < 40 ? 60 + y : 200 - x
        return UInt8(code) + UInt8(generator.next() % 16)
      }
      let coded = try JPEGEncoder(quality: 90).encoded(map)
      try write(coded, "gray.jpg")
      guard case .uint8(let codes) = try JPEGFile(coded[...]).primary.storedSamples() else {
        return
      }
      try write(PNGEncoder().encoded(codes), "gray.png")
    }
    let found = try JPEGFile(bytes("gray.jpg")[...]).primary.storedSamples()
    let expected = try PNGImage(bytes("gray.png")[...]).storedSamples()
    guard case .uint8(let codes) = found, case .uint8(let truth) = expected else {
      Issue.record("not 8 bits")
      return
    }
    #expect(codes.size == truth.size)
    let worst = zip(codes.samples, truth.samples).map { abs(Int($0) - Int($1)) }.max()
    #expect(worst.map { $0 <= Self.tolerance } == true)
  }
}
