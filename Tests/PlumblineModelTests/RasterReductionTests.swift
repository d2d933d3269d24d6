import PlumblineModel
import PlumblineTestSupport
import Testing

@Suite struct RasterReductionTests {
  /// The rounded mean of each square, against plain division.
  @Test func pixelsAreRoundedMeans() {
    let size = RasterSize(width: 13, height: 10)
    let image = Raster<RGB8>(size: size) { x, y in
      RGB8(red: UInt8(x * 19), green: UInt8(y * 28), blue: UInt8((x * 7 + y * 11) % 256))
    }
    let reduced = image.reduced(toMaximumSide: 5)
    #expect(reduced.size == RasterSize(width: 4, height: 3))
    for y in 0..<reduced.height {
      for x in 0..<reduced.width {
        let square = (0..<9).map { image[3 * x + $0 % 3, 3 * y + $0 / 3] }
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
    let image = Raster(size: RasterSize(width: 512, height: 256), repeating: white)
    #expect(image.reduced(toMaximumSide: 2).samples == [white, white])
  }

  @Test("A mean over parts of pixels is that of each pixel drawn as many times as it has parts")
  func averaged() {
    var generator = SeededGenerator(seed: 7)
    // 7.5, 3.75 and 1 pixels in one, as 1920, 720 and 192 are of 256 and 192.
    for (width, height, target) in [(15, 30, 2), (15, 15, 4), (5, 9, 5), (7, 3, 3), (4, 4, 1)] {
      let size = RasterSize(width: width, height: height)
      let image = Raster(size: size) { _, _ in
        RGB8(
          red: .random(in: 0...255, using: &generator),
          green: .random(in: 0...255, using: &generator),
          blue: .random(in: 0...255, using: &generator))
      }
      let goal = RasterSize(width: target, height: min(target, height))
      let averaged = image.averaged(to: goal)
      for y in 0..<goal.height {
        for x in 0..<goal.width {
          var sum = 0
          for row in y * height..<(y + 1) * height {
            for column in x * width..<(x + 1) * width {
              sum += Int(image[column / goal.width, row / goal.height].green)
            }
          }
          let area = width * height
          #expect(Int(averaged[x, y].green) == (sum + area / 2) / area)
        }
      }
    }
  }
}
