import PlumblineModel
import PlumblineTestSupport
import Testing
@testable import PlumblineImages
@testable import PlumblineIO
struct NetpbmTests {
  private static func file(_ header: String, _ data: [UInt8]) -> [UInt8] {
    Array(header.utf8) + data
  }

  @Test func readsGrayAndColorWithComments() throws {
    let size = RasterSize(width: 2, height: 1)
    #expect(
      try NetpbmImage(Self.file("P5\n# a\n2 1 # b\n65535\n", [1, 2, 3, 4])[...])
        == .gray(.uint16(Raster(size: size, samples: [258, 772]), bitDepth: 16), maximum: 65535))
    #expect(
      try NetpbmImage(Self.file("P5 2 1 255\n", [1, 2])[...])
        == .gray(.uint8(Raster(size: size, samples: [1, 2])), maximum: 255))
    #expect(
      try NetpbmImage(Self.file("P6 2 1 255\n", [1, 2, 3, 4, 5, 6])[...])
        == .color(
          Raster(
            size: size,
            samples: [RGB8(red: 1, green: 2, blue: 3), RGB8(red: 4, green: 5, blue: 6)])))
  }

  @Test("Codes are brought to 8 bits by the maximum of the header") func colors() throws {
    func levels(_ header: String, _ data: [UInt8]) throws -> [[UInt8]] {
      try NetpbmImage(Self.file(header, data)[...]).colorRaster.samples.map {
        [$0.red, $0.green, $0.blue]
      }
    }
    #expect(try levels("P5 2 1 255\n", [7, 255]) == [[7, 7, 7], [255, 255, 255]])
    #expect(try levels("P5 2 1 15\n", [5, 15]) == [[85, 85, 85], [255, 255, 255]])
    #expect(
      try levels("P5 2 1 65535\n", [0x80, 0, 0xff, 0xff]) == [[128, 128, 128], [255, 255, 255]])
    // Of 12 bits, though more are declared.
    #expect(
      try levels("P5 2 1 65535\n", [0x0f, 0xff, 0x08, 0]) == [[255, 255, 255], [128, 128, 128]])
    #expect(
      try levels("P6 1 1 1023\n", [0x03, 0xff, 0, 0, 0x02, 0]) == [[255, 0, 128]])
    #expect(try levels("P6 1 1 3\n", [3, 1, 0]) == [[255, 85, 0]])
    // Codes above the declared maximum are white.
    #expect(try levels("P5 1 1 100\n", [200]) == [[255, 255, 255]])
  }

  @Test func colorOfSixteenBitsIsNotReadBeyondTheEnd() {
    do throws(CaptureReadingError) {
      _ = try NetpbmImage(Self.file("P6 1 1 65535\n", [1, 2, 3])[...])
      Issue.record("read")
    } catch { #expect(error.reason == .malformed, "\(error)") }
  }

  @Test(arguments: [
    "P4 1 1 1\n", "P5", "P5 0 1 255\n", "P5 1 1 0\n", "P5 1 1 65536\n", "P5 x 1 255\n",
    "P5 2 1 255\n", "P5 -1 1 255\n",
  ])
  func refusesDamage(header: String) {
    do throws(CaptureReadingError) {
      _ = try NetpbmImage(Self.file(header, [1])[...])
      Issue.record("read \(header)")
    } catch { #expect(error.reason == .malformed, "\(error)") }
  }

  @Test func refusesSizesOverTheLimit() {
    do throws(CaptureReadingError) {
      _ = try NetpbmImage(Self.file("P5 999999999 999999999 255\n", [1])[...])
      Issue.record("read")
    } catch { #expect(error.reason == .limitExceeded, "\(error)") }
  }
}
