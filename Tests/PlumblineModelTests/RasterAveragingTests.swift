import PlumblineModel
import PlumblineTestSupport
import Testing

@Suite struct RasterAveragingTests {
  /// Against the integral of the picture over each pixel, in double precision.
  @Test("Each pixel is the mean of what it covers", arguments: 0..<24)
  func meansOfParts(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    let size = RasterSize(
      width: .random(in: 1...24, using: &generator), height: .random(in: 1...24, using: &generator))
    let target = RasterSize(
      width: .random(in: 1...size.width, using: &generator),
      height: .random(in: 1...size.height, using: &generator))
    let picture = Raster<RGB8>(size: size) { _, _ in
      RGB8(
        red: .random(in: 0...255, using: &generator),
        green: .random(in: 0...255, using: &generator),
        blue: .random(in: 0...255, using: &generator))
    }
    let averaged = picture.averaged(to: target)
    #expect(averaged.size == target)
    let (stepX, stepY) = (
      Double(size.width) / Double(target.width), Double(size.height) / Double(target.height)
    )
    for y in 0..<target.height {
      for x in 0..<target.width {
        var sums = SIMD3<Double>()
        for v in 0..<size.height {
          for u in 0..<size.width {
            let across =
              min(Double(u + 1), Double(x + 1) * stepX) - max(Double(u), Double(x) * stepX)
            let down = min(Double(v + 1), Double(y + 1) * stepY) - max(Double(v), Double(y) * stepY)
            guard across > 0, down > 0 else { continue }
            let p = picture[u, v]
            sums += across * down * SIMD3(Double(p.red), Double(p.green), Double(p.blue))
          }
        }
        let means = sums / (stepX * stepY)
        let found = averaged[x, y]
        // Codes: half of one is the rounding, 1e-6 that of the doubles here.
        #expect(abs(Double(found.red) - means.x) < 0.5 + 1e-6)
        #expect(abs(Double(found.green) - means.y) < 0.5 + 1e-6)
        #expect(abs(Double(found.blue) - means.z) < 0.5 + 1e-6)
      }
    }
  }

  @Test func wholeRatiosAreReductions() {
    let picture = Raster<RGB8>(size: RasterSize(width: 60, height: 45)) { x, y in
      RGB8(red: UInt8(x * 4), green: UInt8(y * 5), blue: UInt8((x * 7 + y * 11) % 256))
    }
    for factor in [1, 3, 5, 15] {
      let target = RasterSize(width: 60 / factor, height: 45 / factor)
      #expect(picture.averaged(to: target) == picture.reduced(toMaximumSide: target.width))
    }
  }
}
