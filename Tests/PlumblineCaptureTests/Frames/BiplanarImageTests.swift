import PlumblineCapture
import PlumblineModel
import PlumblineTestSupport
import Testing

@Suite("Two-plane images")
struct BiplanarImageTests {
  private func image(
    _ luma: UInt8, _ blue: UInt8, _ red: UInt8, _ range: BiplanarImage.LumaRange
  ) -> BiplanarImage? {
    BiplanarImage(
      luma: Raster(size: RasterSize(width: 3, height: 3), repeating: luma),
      chroma: Raster(
        size: RasterSize(width: 2, height: 2), repeating: UInt16(red) << 8 | UInt16(blue)),
      range: range)
  }

  @Test("Black, white and gray stay so in both ranges")
  func grays() throws {
    for (luma, code) in [(UInt8(0), UInt8(0)), (255, 255), (100, 100)] {
      let rgb = try #require(image(luma, 128, 128, .full)).rgb
      #expect(rgb[2, 2] == RGB8(red: code, green: code, blue: code))
    }
    for (luma, code) in [(UInt8(16), UInt8(0)), (235, 255), (10, 0), (240, 255)] {
      let rgb = try #require(image(luma, 128, 128, .video)).rgb
      #expect(rgb[0, 2] == RGB8(red: code, green: code, blue: code))
    }
  }

  @Test("Colors made by the forward matrix of BT.601 come back within a code", arguments: 0..<200)
  func inverse(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let rgb = (0..<3).map { _ in Double.random(in: 0...255, using: &generator) }
    let luma = 0.299 * rgb[0] + 0.587 * rgb[1] + 0.114 * rgb[2]
    let blue = 128 + (rgb[2] - luma) / 1.772
    let red = 128 + (rgb[0] - luma) / 1.402
    let back = try #require(
      image(
        UInt8(luma.rounded()), UInt8(min(blue.rounded(), 255)), UInt8(min(red.rounded(), 255)),
        .full)
    ).rgb[1, 1]
    // Half a code of luma and up to 1.772 times a half or a whole code of chroma, rounded again.
    #expect(abs(Double(back.red) - rgb[0]) <= 2.5)
    #expect(abs(Double(back.green) - rgb[1]) <= 2.5)
    #expect(abs(Double(back.blue) - rgb[2]) <= 2.8)
  }

  @Test("Planes that do not belong together are refused")
  func planes() {
    #expect(
      BiplanarImage(
        luma: Raster(size: RasterSize(width: 4, height: 4), repeating: 0),
        chroma: Raster(size: RasterSize(width: 4, height: 4), repeating: 0), range: .full) == nil)
  }
}
