import PlumblineModel
import PlumblineTestSupport
import Testing

@Suite("Luma")
struct LumaTests {
  @Test("Is the weighted sum of BT.601, rounded, whatever the width and padding")
  func weights() {
    var random = SeededGenerator(seed: 2)
    let samples = (0..<9 * 41).map { _ in
      RGB8(
        red: .random(in: 0...255, using: &random), green: .random(in: 0...255, using: &random),
        blue: .random(in: 0...255, using: &random))
    }
    for width in [0, 1, 7, 33, 41] {
      let color = Raster(size: RasterSize(width: width, height: 9), rowStride: 41, samples: samples)
      let luma = color.luma
      #expect(luma.size == color.size)
      for y in 0..<9 {
        for x in 0..<width {
          let c = color[x, y]
          let plain = 0.299 * Double(c.red) + 0.587 * Double(c.green) + 0.114 * Double(c.blue)
          // Weights in 65536ths move a level by 0.003 at most, which matters at halves only.
          #expect(abs(Double(luma[x, y]) - plain) <= 0.504)
        }
      }
    }
  }

  @Test("Leaves gray as it is")
  func gray() {
    let color = Raster<RGB8>(size: RasterSize(width: 256, height: 1)) { x, _ in
      RGB8(red: UInt8(x), green: UInt8(x), blue: UInt8(x))
    }
    #expect(color.luma.samples == Array(0...255))
  }
}
