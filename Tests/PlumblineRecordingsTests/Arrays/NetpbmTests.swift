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
