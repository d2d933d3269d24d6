import PlumblineModel
import Testing

@Suite struct RasterReductionTests {
  /// The rounded mean of each square, against plain division.
  @Test func pixelsAreRoundedMeans() {
    let size = RasterSize(width: 13, height: 10)
    let picture = Raster<RGB8>(size: size) { x, y in
      RGB8(red: UInt8(x * 19), green: UInt8(y * 28), blue: UInt8((x * 7 + y * 11) % 256))
    }
    let reduced = picture.reduced(toMaximumSide: 5)
    #expect(reduced.size == RasterSize(width: 4, height: 3))
    for y in 0..<reduced.height {
      for x in 0..<reduced.width {
        let square = (0..<9).map { picture[3 * x + $0 % 3, 3 * y + $0 / 3] }
        func mean(_ channel: (RGB8) -> UInt8) -> UInt8 {
          UInt8((square.reduce(0) { $0 + Int(channel($1)) } + 4) / 9)
        }
        let expected = RGB8(
          red: mean(\.red), green: mean(\.green), blue: mean(\.blue))
        #expect(reduced[x, y] == expected)
      }
    }
  }

  @Test func brightestPixelsStayBright() {
    let white = RGB8(red: 255, green: 255, blue: 255)
    let picture = Raster(size: RasterSize(width: 512, height: 256), repeating: white)
    #expect(picture.reduced(toMaximumSide: 2).samples == [white, white])
  }
}
