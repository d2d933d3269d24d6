import PlumblineModel
import PlumblineSimulation
import PlumblineStereo
import Testing

@Suite struct FacingSurfacesTests {
  private func corrected(
    _ map: Raster<Float>, _ changes: Raster<Float>, threads: Int = 1
  ) -> (values: [Float], sigmas: [Float]) {
    var values = map.samples
    var sigmas = [Float](repeating: 0.1, count: values.count)
    values.withUnsafeMutableBufferPointer { values in
      sigmas.withUnsafeMutableBufferPointer { sigmas in
        changes.samples.withUnsafeBufferPointer { changes in
          guard let values = values.baseAddress, let sigmas = sigmas.baseAddress,
            let changes = changes.baseAddress
          else { return }
          FacingSurfaces(changes, where: values, width: map.width, height: map.height)
            .correct(values, sigma: sigmas, threads: threads)
        }
      }
    }
    return (values, sigmas)
  }

  /// Walls, slopes, a step and holes; changes of one number, whose means need no twin of their own.
  private func scene(seed: UInt64) -> Raster<Float> {
    var random = SeededGenerator(seed: seed)
    return Raster<Float>(size: RasterSize(width: 83, height: 57)) { x, y in
      if Int.random(in: 0..<11, using: &random) == 0 { return .nan }
      let slope: Float = y < 20 ? 0.002 : y < 40 ? 0.015 : 0.2
      return 20 + slope * Float(x) + (x > 50 ? 6 : 0)
        + Float.random(in: -0.02...0.02, using: &random)
    }
  }

  @Test("Values and σ are those of the formula, pixel by pixel", arguments: 1...3)
  func equalsTheTwin(seed: Int) {
    let map = scene(seed: UInt64(seed))
    let change: Float = 0.08
    let found = corrected(map, Raster(size: map.size, repeating: change))
    for y in 0..<map.height {
      for x in 0..<map.width {
        let index = y * map.width + x
        let (left, right) = (max(x - 12, 0), min(x + 12, map.width - 1))
        let (above, below) = (max(y - 12, 0), min(y + 12, map.height - 1))
        let own = Double(map[x, y])
        let row = [Double(map[left, y]), Double(map[right, y])]
        let column = [Double(map[x, above]), Double(map[x, below])]
        let across = (row[1] - row[0]) / Double(right - left)
        let down = (column[1] - column[0]) / Double(below - above)
        let slope = (across * across + down * down) / (0.012 * 0.012)
        let isLine =
          abs(row[0] + row[1] - 2 * own) <= 0.5 && abs(column[0] + column[1] - 2 * own) <= 0.5
        let added = isLine ? Double(change) / (1 + slope * slope) : 0
        #expect(found.values[index].isNaN == own.isNaN)
        if own.isNaN { continue }
        // Rounding of floats around 30 px: 2e-6 px of the value, 1e-6 of a slope.
        #expect(abs(Double(found.values[index]) - own - added) < 1e-4)
        let sigma = (0.01 + added * added / 4).squareRoot()
        #expect(abs(Double(found.sigmas[index]) - sigma) < 1e-4)
      }
    }
  }

  @Test func theSameBitsForAnyNumberOfThreads() {
    let map = scene(seed: 5)
    let changes = Raster<Float>(size: map.size) { x, y in 0.001 * Float(x - y) }
    let one = corrected(map, changes)
    for threads in [2, 3, 7] {
      let several = corrected(map, changes, threads: threads)
      #expect(several.values.map(\.bitPattern) == one.values.map(\.bitPattern))
      #expect(several.sigmas.map(\.bitPattern) == one.sigmas.map(\.bitPattern))
    }
  }

  /// Without the correction up to 0.06 px: the wall was pulled to the nearest whole pixel.
  @Test(
    "A wall that faces the cameras keeps its fraction of a pixel",
    arguments: StereoMatcher.Paths.allCases, [2, 3, 4, 6, 7, 8])
  func wallsAreNotPulled(paths: StereoMatcher.Paths, tenth: Int) throws {
    let shift = 4 + Double(tenth) / 10
    let scene = SimulatedPair(seed: 5, nearest: shift, noise: 1)
    let errors = try StereoMatcher(disparities: 0..<12, paths: paths).match(scene.pair).disparity
      .pixels.samples.filter { !$0.isNaN }.map { $0 - Float(shift) }.sorted()
    #expect(abs(errors[errors.count / 2]) < 0.035, "median, in pixels")
  }
}
