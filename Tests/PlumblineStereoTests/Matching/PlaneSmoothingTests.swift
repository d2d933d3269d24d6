import PlumblineModel
import PlumblineSimulation
import PlumblineStereo
import Testing

@Suite struct PlaneSmoothingTests {
  /// The map after each value went to its plane.
  private func smoothed(
    _ samples: [Float], _ smoothing: PlaneSmoothing, width: Int, threads: Int
  ) -> [Float] {
    var (values, shifts) = (samples, samples)
    values.withUnsafeMutableBufferPointer { values in
      shifts.withUnsafeMutableBufferPointer { shifts in
        guard let base = values.baseAddress, let target = shifts.baseAddress else { return }
        nonisolated(unsafe) let (rows, moved) = (base, target)
        smoothing.forEachRow(of: base, threads: threads) { y, fit in
          fit(PlaneSmoothing.Rows(shift: moved + y * width))
          for x in y * width..<(y + 1) * width { rows[x] += moved[x] }
        }
      }
    }
    return values
  }

  @Test("Every pixel is drawn to the plane of the plain twin", arguments: [0, 4, 12, 16, 31, 90])
  func equalsTheTwin(radius: Int) {
    var random = SeededGenerator(seed: 7)
    // Steps of 6 and noise below 0.4: no difference comes near the tolerance, where units would
    // tell.
    let map = Raster<Float>(size: RasterSize(width: 75, height: 50)) { x, y in
      if Int.random(in: 0..<9, using: &random) == 0 { return .nan }
      let plane = 20 + 0.011 * Float(x) - 0.007 * Float(y) + (x > 40 ? 6 : 0)
      return plane + Float.random(in: -0.2...0.2, using: &random)
    }
    for disparities in [0..<64, -300..<700] {
      let smoothing = PlaneSmoothing(
        width: map.width, height: map.height, radiusPixels: radius, disparities: disparities)
      let found = smoothed(map.samples, smoothing, width: map.width, threads: 1)
      for y in 0..<map.height {
        for x in 0..<map.width {
          let value = found[y * map.width + x]
          #expect(value.isNaN == map[x, y].isNaN)
          if value.isNaN { continue }
          let expected = PlainPlane(map, x, y, radius: min(radius, 32) / 4 * 4).value
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
        let samples = (0..<1_600).map { $0 % 3 == 0 ? value : Float.nan }
        let map = smoothed(samples, smoothing, width: 40, threads: 2)
        let known = map.filter { !$0.isNaN }
        #expect(known.count == 534)
        #expect(known.allSatisfy { abs($0 - value) <= smoothing.scale / 2 })
      }
    }
  }
}
