import PlumblineModel
import PlumblineTestSupport
import PlumblineVerification
import Testing

/// Planes whose pixels share noise with their neighbors.
@Suite struct RegionNoiseTests {
  static let size = RasterSize(width: 60, height: 60)
  static let noise = SigmaCurve(constantMeters: 0.002)

  /// A wall a meter away with the noise of squares of 10 × 10 pixels that begin anywhere.
  private func wall(_ random: inout SeededGenerator, _ region: RegionNoise) -> MeasuredRegion {
    let side = 10
    let shift = (random.integer(below: side), random.integer(below: side))
    let draws = (0..<64).map { _ in random.gaussian() }
    var points: [MeasurementPoint?] = []
    var rays: [SIMD2<Double>] = []
    for y in 0..<Self.size.height {
      for x in 0..<Self.size.width {
        let ray = SIMD2(Double(x) - 29.5, Double(y) - 29.5) / 300
        let draw = draws[(y + shift.1) / side * 8 + (x + shift.0) / side]
        let depth = 1 + draw * Self.noise.constantMeters
        rays.append(ray)
        points.append(MeasurementPoint(position: SIMD3(ray, 1) * depth, sensorSigma: 0.002))
      }
    }
    return MeasuredRegion(
      size: Self.size, points: points, rays: rays,
      shared: SharedErrors(focalShare: 0, depth: SigmaCurve()), noise: Self.noise, region: region)
  }

  /// The root of the mean square of the errors over their ±: 1 for a ± that is right.
  private func ratios(_ region: RegionNoise) throws -> (distance: Double, slope: Double) {
    var random = SeededGenerator(seed: 5)
    let count = 200
    var sums = SIMD2<Double>.zero
    for _ in 0..<count {
      let plane = try #require(wall(&random, region).plane)
      let shared = SharedErrors(focalShare: 0, depth: SigmaCurve())
      let (distance, slope) = (plane.distance(shared), plane.normalCoordinates(shared)[0])
      let errors = SIMD2(
        (distance.value - 1) / (distance.sigma ?? .nan), slope.value / (slope.sigma ?? .nan))
      sums += errors * errors
    }
    return ((sums.x / Double(count)).squareRoot(), (sums.y / Double(count)).squareRoot())
  }

  @Test func thePlusMinusOfAPlaneKnowsThatNeighborsShareNoise() throws {
    // The law's length is the side of the squares: a tenth of 100 columns.
    let correlation = CorrelatedNoise(lengthShare: 0.1)
    let aware = try ratios(RegionNoise(correlation: correlation, mapWidth: 100))
    let unaware = try ratios(.independent)
    // Squares are not exactly the law's noise; a ± that counts pixels as independent is some eight times
    // too small.
    #expect((0.5...1.3).contains(aware.distance), "\(aware)")
    #expect((0.5...1.3).contains(aware.slope), "\(aware)")
    #expect(unaware.distance > 5 && unaware.slope > 5, "\(unaware)")
  }
}
