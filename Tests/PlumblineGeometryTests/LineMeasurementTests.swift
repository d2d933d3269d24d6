import PlumblineGeometry
import PlumblineModel
import PlumblineTestSupport
import Testing

@Suite struct LineMeasurementTests {
  /// Two ends at two depths, from across the image to almost along one ray.
  static let lines: [(SIMD3<Double>, SIMD3<Double>)] = [
    ([-0.3, 0.1, 1], [0.4, 0.2, 1]),
    ([-0.3, 0.1, 0.6], [0.4, -0.2, 1.9]),
    ([0.1, 0.1, 1], [0.21, 0.19, 2]),
    ([0, 0, 0.5], [0, 0, 0.9]),
  ]

  @Test(arguments: lines.indices)
  func sigmaIsThatOfRandomDraws(index: Int) {
    let (a, b) = Self.lines[index]
    let (sigmaA, sigmaB, percent) = (0.002, 0.005, 0.4)
    let measurement = LineMeasurement(
      from: MeasuredPoint(position: a, sigmaMeters: sigmaA),
      to: MeasuredPoint(position: b, sigmaMeters: sigmaB), lengthPercent: percent)
    var random = SeededGenerator(seed: 7)
    var sum = 0.0
    var squares = 0.0
    let draws = 40_000
    for _ in 0..<draws {
      let movedA = a * (1 + random.gaussian(mean: 0, sigma: sigmaA) / a.z)
      let movedB = b * (1 + random.gaussian(mean: 0, sigma: sigmaB) / b.z)
      let scale = 1 + random.gaussian(mean: 0, sigma: percent / 100)
      let line = (movedB - movedA) * scale
      let error = (line * line).sum().squareRoot() - measurement.meters
      sum += error
      squares += error * error
    }
    let mean = sum / Double(draws)
    let sigma = (squares / Double(draws) - mean * mean).squareRoot()
    // The standard error of σ is 1/√(2·draws) = 0.35 %; five of them, and the second order of
    // these lines stays below 0.3 %.
    #expect(abs(measurement.sigmaMeters / sigma - 1) < 0.02)
  }

  @Test func anEndAcrossTheLineDoesNotCount() {
    let measurement = LineMeasurement(
      from: MeasuredPoint(position: [0, 0, 1], sigmaMeters: 0.1),
      to: MeasuredPoint(position: [0.5, 0, 1], sigmaMeters: 0))
    #expect(measurement.meters == 0.5)
    #expect(measurement.endsSigmaMeters == 0)
  }

  @Test func directionDoesNotMatter() {
    for (a, b) in Self.lines {
      let (a, b) = (
        MeasuredPoint(position: a, sigmaMeters: 0.01), MeasuredPoint(position: b, sigmaMeters: 0.02)
      )
      let there = LineMeasurement(from: a, to: b, lengthPercent: 1)
      let back = LineMeasurement(from: b, to: a, lengthPercent: 1)
      #expect(there.meters == back.meters)
      // Double precision of sums in another order.
      #expect(abs(there.sigmaMeters - back.sigmaMeters) < 1e-15)
    }
  }

  @Test func noLengthHasTheWholeMovementOfBothEnds() {
    let point = MeasuredPoint(position: [0.75, 0, 1], sigmaMeters: 0.01)
    let sigma = LineMeasurement(from: point, to: point).sigmaMeters
    #expect(abs(sigma - 0.01 * 1.25 * 2.0.squareRoot()) < 1e-15)
  }

  @Test func pixelsGiveTheirPoints() throws {
    let size = RasterSize(width: 4, height: 3)
    let camera = PinholeIntrinsics(focalLength: [4, 4], principalPoint: [1.5, 1], size: size)
    let rays = CameraCalibration(intrinsics: camera).rayMap
    let depth = DepthMap(meters: Raster(size: size) { x, _ in x == 3 ? .nan : 2 })
    let sigma = SigmaCurve(perMeter: 0.01)
    let point = try #require(MeasuredPoint(x: 2, y: 0, depth: depth, rays: rays, sigma: sigma))
    #expect(point.position == [0.25, -0.5, 2])
    #expect(point.sigmaMeters == 0.02)
    #expect(MeasuredPoint(x: 3, y: 0, depth: depth, rays: rays, sigma: sigma) == nil)
    #expect(MeasuredPoint(x: 4, y: 0, depth: depth, rays: rays, sigma: sigma) == nil)
    #expect(MeasuredPoint(x: 0, y: -1, depth: depth, rays: rays, sigma: sigma) == nil)
  }
}
