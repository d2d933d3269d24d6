import PlumblineModel
import PlumblineSimulation
import PlumblineStereo
import Testing

@Suite struct PlaneSmoothingTests {
  /// The plane through the neighbors of one pixel that differ little, as plainly as it can be written.
  private func plain(_ map: Raster<Float>, _ x: Int, _ y: Int, radius: Int) -> Double {
    let center = Double(map[x, y])
    var points: [(u: Double, v: Double, d: Double)] = []
    for v in stride(from: -radius, through: radius, by: 4) {
      for u in stride(from: -radius, through: radius, by: 4) where map.contains(x: x + u, y: y + v)
      {
        let difference = Double(map[x + u, y + v]) - center
        if abs(difference) <= 1.5 { points.append((Double(u), Double(v), difference)) }
      }
    }
    func mean(_ value: ((u: Double, v: Double, d: Double)) -> Double) -> Double {
      points.reduce(0) { $0 + value($1) } / Double(points.count)
    }
    let (u, v, d) = (mean { $0.u }, mean { $0.v }, mean { $0.d })
    let a = mean { ($0.u - u) * ($0.u - u) } + 0.5, b = mean { ($0.u - u) * ($0.v - v) }
    let c = mean { ($0.v - v) * ($0.v - v) } + 0.5
    let e = mean { ($0.u - u) * ($0.d - d) }, f = mean { ($0.v - v) * ($0.d - d) }
    let determinant = a * c - b * b
    return center + d - (e * c - f * b) / determinant * u - (a * f - b * e) / determinant * v
  }

  @Test("Every pixel is drawn to the plane of the plain twin", arguments: [0, 4, 12, 16, 31, 90])
  func equalsTheTwin(radius: Int) {
    var random = SeededGenerator(seed: 7)
    // Steps of 6 and noise below 0.4: no difference comes near the tolerance, where units would tell.
    let map = Raster<Float>(size: RasterSize(width: 75, height: 50)) { x, y in
      if Int.random(in: 0..<9, using: &random) == 0 { return .nan }
      let plane = 20 + 0.011 * Float(x) - 0.007 * Float(y) + (x > 40 ? 6 : 0)
      return plane + Float.random(in: -0.2...0.2, using: &random)
    }
    for disparities in [0..<64, -300..<700] {
      let smoothing = PlaneSmoothing(
        width: map.width, height: map.height, radiusPixels: radius, disparities: disparities)
      var found = map.samples
      found.withUnsafeMutableBufferPointer { values in
        if let base = values.baseAddress { smoothing.apply(to: base, threads: 1) }
      }
      for y in 0..<map.height {
        for x in 0..<map.width {
          let value = found[y * map.width + x]
          #expect(value.isNaN == map[x, y].isNaN)
          if value.isNaN { continue }
          let expected = plain(map, x, y, radius: min(radius, 32) / 4 * 4)
          // Numbers in units of 1/32 pixel are off by 1/64 each at the most.
          #expect(abs(Double(value) - expected) < Double(smoothing.scale), "pixels")
        }
      }
    }
  }

  @Test func whatIsMissingIsNoNeighbor() {
    // The lowest disparities lie next to what stands for missing ones.
    for disparities in [0..<64, 0..<16_384] {
      let smoothing = PlaneSmoothing(
        width: 40, height: 40, radiusPixels: 12, disparities: disparities)
      for value in [Float(0), Float(disparities.count - 1)] {
        var map = (0..<1_600).map { $0 % 3 == 0 ? value : Float.nan }
        map.withUnsafeMutableBufferPointer { values in
          if let base = values.baseAddress { smoothing.apply(to: base, threads: 2) }
        }
        let known = map.filter { !$0.isNaN }
        #expect(known.count == 534)
        #expect(known.allSatisfy { abs($0 - value) <= smoothing.scale / 2 })
      }
    }
  }
}
