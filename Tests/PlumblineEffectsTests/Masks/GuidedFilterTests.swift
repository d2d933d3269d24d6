import PlumblineModel
import PlumblineSimulation
import Testing

@testable import PlumblineEffects

@Suite struct GuidedFilterTests {
  /// He et al., equations 14–16, written as they stand: sums over each window, then the mean line.
  private func slow(
    _ mask: [UInt16], _ guide: Raster<RGB8>, radius: Int, epsilon: Double
  ) -> [Double] {
    let (width, height) = (guide.width, guide.height)
    func window(_ x: Int, _ y: Int) -> [(Int, Int)] {
      (max(y - radius, 0)...min(y + radius, height - 1)).flatMap { row in
        (max(x - radius, 0)...min(x + radius, width - 1)).map { ($0, row) }
      }
    }
    func color(_ x: Int, _ y: Int) -> SIMD3<Double> {
      let pixel = guide[x, y]
      return SIMD3(Double(pixel.red), Double(pixel.green), Double(pixel.blue))
    }
    var lines: [(a: SIMD3<Double>, b: Double)] = []
    for y in 0..<height {
      for x in 0..<width {
        let places = window(x, y)
        let count = Double(places.count)
        let mean = places.reduce(SIMD3<Double>.zero) { $0 + color($1.0, $1.1) } / count
        let level = places.reduce(0.0) { $0 + Double(mask[$1.1 * width + $1.0]) } / count
        var rows = [SIMD3<Double>](repeating: .zero, count: 3)
        var along = SIMD3<Double>.zero
        for place in places {
          let off = color(place.0, place.1) - mean
          along += off * (Double(mask[place.1 * width + place.0]) - level) / count
          for k in 0..<3 { rows[k] += off * off[k] / count }
        }
        for k in 0..<3 { rows[k][k] += epsilon }
        let a = Self.solve(rows, along)
        lines.append((a, level - (a * mean).sum()))
      }
    }
    return (0..<height).flatMap { y in
      (0..<width).map { x in
        let places = window(x, y)
        let sum = places.reduce(0.0) { sum, place in
          let line = lines[place.1 * width + place.0]
          return sum + (line.a * color(x, y)).sum() + line.b
        }
        return min(max(sum / Double(places.count), 0), 4080)
      }
    }
  }

  /// Gauss' elimination.
  private static func solve(_ matrix: [SIMD3<Double>], _ right: SIMD3<Double>) -> SIMD3<Double> {
    var rows = (0..<3).map { (matrix[$0], right[$0]) }
    for k in 0..<3 {
      for i in 0..<3 where i != k {
        let share = rows[i].0[k] / rows[k].0[k]
        rows[i] = (rows[i].0 - rows[k].0 * share, rows[i].1 - rows[k].1 * share)
      }
    }
    return SIMD3(rows[0].1 / rows[0].0[0], rows[1].1 / rows[1].0[1], rows[2].1 / rows[2].0[2])
  }

  @Test("Equals the definition", arguments: [(1, 1, 1), (9, 7, 2), (20, 3, 31), (13, 16, 4)])
  func equalsDefinition(_ width: Int, _ height: Int, _ radius: Int) {
    var random = SeededGenerator(seed: UInt64(width * 100 + radius))
    let size = RasterSize(width: width, height: height)
    let guide = RandomScenes.color(size, &random)
    let mask = (0..<size.pixelCount).map { _ in UInt16.random(in: 0...4080, using: &random) }
    let fast = GuidedFilter(radius: radius, side: 1, epsilon: 10)
      .levels(of: mask, by: guide, threads: 2)
    let slow = slow(mask, guide, radius: radius, epsilon: 10)
    // In sixteenths of a code: single precision of sums of 4080, and coefficients cut at 2⁻²⁰.
    for (fast, slow) in zip(fast, slow) { #expect(abs(Double(fast) - slow) < 0.02) }
  }

  @Test("Keeps a mask of one level, reduced or not", arguments: [1, 2, 5])
  func keepsLevel(_ side: Int) {
    var random = SeededGenerator(seed: 5)
    let guide = RandomScenes.color(RasterSize(width: 37, height: 22), &random)
    let levels = GuidedFilter(radius: 3, side: side, epsilon: 4)
      .levels(of: [UInt16](repeating: 1234, count: 37 * 22), by: guide, threads: 1)
    for level in levels { #expect(abs(level - 1234) < 0.05) }
  }

  @Test("Finds an edge of color that a mask misses by two pixels")
  func findsEdge() {
    let size = RasterSize(width: 40, height: 20)
    let guide = Raster(size: size) { x, _ in
      x < 20 ? RGB8(red: 200, green: 40, blue: 40) : RGB8(red: 30, green: 60, blue: 90)
    }
    let mask = (0..<size.pixelCount).map { UInt16($0 % 40 < 22 ? 4080 : 0) }
    let levels = GuidedFilter(radius: 6, side: 1, epsilon: 4)
      .levels(of: mask, by: guide, threads: 1)
    // Its half lies where the color changes.
    #expect(levels[10 * 40 + 19] > 2040)
    #expect(levels[10 * 40 + 20] < 2040)
    #expect(levels[10 * 40 + 21] < 2040)
  }

  @Test("Gives the same for any number of threads", arguments: RandomScenes.sizes)
  func sameForThreads(_ size: RasterSize) {
    var random = SeededGenerator(seed: 8)
    let guide = RandomScenes.color(size, &random)
    let mask = (0..<size.pixelCount).map { _ in UInt16.random(in: 0...4080, using: &random) }
    let filter = GuidedFilter(radiusPixels: 9, epsilon: 4, image: size)
    let one = filter.levels(of: mask, by: guide, threads: 1)
    #expect(one == filter.levels(of: mask, by: guide, threads: 3))
  }
}
