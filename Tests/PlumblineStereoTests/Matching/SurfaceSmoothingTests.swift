import PlumblineModel
import PlumblineSimulation
import PlumblineStereo
import Testing

@Suite struct SurfaceSmoothingTests {
  private func smoothed(
    _ map: Raster<Float>, _ ratios: Raster<Float>, radius: Int, threads: Int = 1
  ) -> (values: [Float], sigmas: [Float]) {
    var (values, sigmas) = (map.samples, ratios.samples)
    values.withUnsafeMutableBufferPointer { values in
      sigmas.withUnsafeMutableBufferPointer { sigmas in
        guard let base = values.baseAddress, let target = sigmas.baseAddress else { return }
        SurfaceSmoothing(
          width: map.width, height: map.height, radiusPixels: radius, disparities: 0..<64
        ).apply(to: base, ratios: target, threads: threads)
      }
    }
    return (values, sigmas)
  }

  /// A leaning plane, a ball and a step of 6, with holes: no difference comes near the tolerance.
  private func scene(seed: UInt64) -> (map: Raster<Float>, ratios: Raster<Float>) {
    var random = SeededGenerator(seed: seed)
    let size = RasterSize(width: 77, height: 51)
    let map = Raster<Float>(size: size) { x, y in
      if Int.random(in: 0..<9, using: &random) == 0 { return .nan }
      let plane = 20 + 0.011 * Float(x) - 0.007 * Float(y) + (x > 40 ? 6 : 0)
      let (u, v) = (Float(x) - 20, Float(y) - 25)
      return plane - 0.0012 * (u * u + v * v) * (x > 40 ? 0 : 1)
        + Float.random(in: -0.1...0.1, using: &random)
    }
    return (map, Raster(size: size) { _, _ in Float.random(in: 0.1...0.6, using: &random) })
  }

  @Test("Values and σ are those of the plain twin", arguments: [4, 8, 12], [1, 2])
  func equalsTheTwin(radius: Int, seed: UInt64) {
    let (map, ratios) = scene(seed: seed)
    let expected = PlainSmoothing(map, ratios: ratios, radius: radius)
    let found = smoothed(map, ratios, radius: radius)
    var beyond = 0
    for index in found.values.indices {
      #expect(found.values[index].isNaN == expected.values[index].isNaN)
      #expect(found.sigmas[index].isNaN == expected.sigmas[index].isNaN)
      if found.values[index].isNaN { continue }
      // Rounding to 1/256 px moves each of three fits by 1/512 px at the most; where it decides on
      // which side of the tolerance a neighbor of the ball lies, more.
      let differs =
        abs(Double(found.values[index]) - expected.values[index]) > 0.008
        || abs(Double(found.sigmas[index]) - expected.sigmas[index]) > 0.008
      beyond += differs ? 1 : 0
    }
    #expect(beyond < found.values.count / 200, "\(beyond) of \(found.values.count) pixels")
  }

  @Test func theSameBitsForAnyNumberOfThreads() {
    let (map, ratios) = scene(seed: 5)
    let one = smoothed(map, ratios, radius: 12)
    let three = smoothed(map, ratios, radius: 12, threads: 3)
    #expect(one.values.map(\.bitPattern) == three.values.map(\.bitPattern))
    #expect(one.sigmas.map(\.bitPattern) == three.sigmas.map(\.bitPattern))
  }

  /// What the far plane alone would do: a bowl of 0.9 px over its reach is flattened by half of
  /// that.
  @Test("A curved surface keeps its shape, a noisy plane loses its noise")
  func curvesStayAndNoiseGoes() {
    var random = SeededGenerator(seed: 3)
    let size = RasterSize(width: 96, height: 96)
    let ratios = Raster<Float>(size: size, repeating: 0.2)
    func error(_ truth: (Float, Float) -> Float, noise: ClosedRange<Float>) -> Double {
      let map = Raster<Float>(size: size) { x, y in
        truth(Float(x), Float(y)) + Float.random(in: noise, using: &random)
      }
      let found = smoothed(map, ratios, radius: 12).values
      var sum = 0.0
      for y in 24..<72 {
        for x in 24..<72 {
          let difference = Double(found[y * 96 + x] - truth(Float(x), Float(y)))
          sum += difference * difference
        }
      }
      return (sum / (48 * 48)).squareRoot()
    }
    let plane = error({ 20 + 0.02 * $0 + 0.01 * $1 }, noise: -0.35...0.35)
    // Noise of 0.2 px: nine neighbors would leave 0.07.
    #expect(plane < 0.05, "rms in pixels")
    let bowl = error(
      { 20 + 0.004 * (($0 - 48) * ($0 - 48) + ($1 - 48) * ($1 - 48)) / 2 }, noise: 0...0)
    // Two far planes would move every pixel by 2 · 0.002 · 2 · 64 = 0.5 px.
    #expect(bowl < 0.2, "rms in pixels")
  }
}
