import PlumblineModel
import PlumblineTestSupport
import PlumblineVerification
import Testing

/// The laws of lengths and angles; how often truths lie within their ± is in `MeasurementCoverageTests`.
@Suite struct MeasuredLengthTests {
  /// Two ends at two depths, from across the image to almost along one ray.
  static let lines: [(SIMD3<Double>, SIMD3<Double>)] = [
    ([-0.3, 0.1, 1], [0.4, 0.2, 1]),
    ([-0.3, 0.1, 0.6], [0.4, -0.2, 1.9]),
    ([0.1, 0.1, 1], [0.21, 0.19, 2]),
    ([0, 0, 0.5], [0, 0, 0.9]),
  ]
  static let none = SharedErrors(focalShare: 0, depth: SigmaCurve())
  static let scale = SharedErrors(focalShare: 0, depth: SigmaCurve(perMeter: 0.004))

  @Test(arguments: lines.indices)
  func sigmaIsThatOfRandomDraws(index: Int) {
    let (a, b) = Self.lines[index]
    let (sigmaA, sigmaB) = (0.002, 0.005)
    let found = MeasuredLength.distance(
      MeasurementPoint(position: a, sensorSigma: sigmaA),
      MeasurementPoint(position: b, sensorSigma: sigmaB), Self.scale)
    var random = SeededGenerator(seed: 7)
    var (sum, squares) = (0.0, 0.0)
    let draws = 40_000
    for _ in 0..<draws {
      let movedA = a * (1 + random.gaussian(mean: 0, sigma: sigmaA) / a.z)
      let movedB = b * (1 + random.gaussian(mean: 0, sigma: sigmaB) / b.z)
      let line = (movedB - movedA) * (1 + random.gaussian(mean: 0, sigma: 0.004))
      let error = (line * line).sum().squareRoot() - found.value
      sum += error
      squares += error * error
    }
    let mean = sum / Double(draws)
    let sigma = (squares / Double(draws) - mean * mean).squareRoot()
    // The standard error of σ is 1/√(2·draws) = 0.35 %; five of them, and the second order of
    // these lines stays below 0.3 %.
    #expect(abs((found.sigma ?? .nan) / sigma - 1) < 0.02)
  }

  @Test func anEndAcrossTheLineDoesNotCount() {
    let found = MeasuredLength.distance(
      MeasurementPoint(position: [0, 0, 1], sensorSigma: 0.1),
      MeasurementPoint(position: [0.5, 0, 1], sensorSigma: 0), Self.none)
    #expect(found.value == 0.5)
    #expect(found.sensor == 0)
  }

  @Test func directionDoesNotMatter() {
    for (a, b) in Self.lines {
      let a = MeasurementPoint(position: a, sensorSigma: 0.01)
      let b = MeasurementPoint(position: b, sensorSigma: 0.02)
      let there = MeasuredLength.distance(a, b, Self.scale)
      let back = MeasuredLength.distance(b, a, Self.scale)
      #expect(there.value == back.value)
      // Double precision of sums in another order.
      #expect(abs((there.sigma ?? .nan) - (back.sigma ?? 0)) < 1e-15)
    }
  }

  @Test func noLengthHasTheWholeMovementOfBothEnds() {
    let point = MeasurementPoint(position: [0.75, 0, 1], sensorSigma: 0.01)
    let found = MeasuredLength.distance(point, point, Self.scale)
    #expect(abs((found.sigma ?? .nan) - 0.01 * 1.25 * 2.0.squareRoot()) < 1e-15)
  }

  @Test func whatPointsShareScalesALengthAndDoesNotAddPerPoint() {
    for (a, b) in Self.lines {
      let found = MeasuredLength.distance(
        MeasurementPoint(position: a, sensorSigma: 0),
        MeasurementPoint(position: b, sensorSigma: 0),
        Self.scale)
      // 0.4 % of the length, however far away both ends are.
      #expect(abs((found.scale ?? .nan) - 0.004 * found.value) < 1e-15)
      #expect(found.calibration == 0)
    }
    // A constant that all depths share hardly moves neighbors apart.
    let near = [SIMD3(0, 0, 1), SIMD3(0.001, 0, 1)]
      .map { MeasurementPoint(position: $0, sensorSigma: 0) }
    let constant = SharedErrors(focalShare: 0, depth: SigmaCurve(constantMeters: 0.01))
    let found = MeasuredLength.distance(near[0], near[1], constant)
    #expect(abs((found.scale ?? .nan) - 0.00001) < 1e-12)
  }

  @Test func aFocalLengthCountsAcrossTheAxisOnly() {
    let errors = SharedErrors(focalShare: 0.005, depth: SigmaCurve())
    func calibration(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double? {
      MeasuredLength.distance(
        MeasurementPoint(position: a, sensorSigma: 0),
        MeasurementPoint(position: b, sensorSigma: 0),
        errors
      ).calibration
    }
    #expect(abs((calibration([-0.2, 0, 1], [0.3, 0, 1]) ?? .nan) - 0.0025) < 1e-15)
    #expect(calibration([0, 0, 1], [0, 0, 2]) == 0)
  }

  @Test func scaleChangesNoAngleAndAStraightOneHasNoSigma() {
    func point(_ x: Double, _ y: Double, _ z: Double) -> MeasurementPoint {
      MeasurementPoint(position: [x, y, z], sensorSigma: 0.002)
    }
    let found = MeasuredAngle.angle(
      point(-0.3, 0.1, 1), point(0.2, 0, 0.8), point(0.1, 0.4, 1.2), Self.scale)
    // A factor on all positions cancels; only rounding remains.
    #expect((found.scale ?? .nan) < 1e-15)
    #expect((found.sensor ?? 0) > 0.001)
    let straight = MeasuredAngle.angle(
      point(-0.2, 0, 1), point(0, 0, 1), point(0.2, 0, 1), Self.scale)
    #expect(abs(straight.value - .pi) < 1e-7)
    #expect(straight.sigma == nil)
    let none = MeasuredAngle.angle(point(0, 0, 1), point(0, 0, 1), point(0.2, 0, 1), Self.scale)
    #expect(none.value.isNaN)
  }

  @Test func whatIsNotKnownMakesNoSigma() {
    let known = MeasurementPoint(position: [0, 0, 1], sensorSigma: 0.01)
    let unknown = MeasurementPoint(position: [0.2, 0, 1], sensorSigma: nil)
    #expect(MeasuredLength.distance(known, unknown, Self.scale).sensor == nil)
    #expect(MeasuredLength.distance(known, unknown, Self.scale).sigma == nil)
    let errors = SharedErrors(focalShare: nil, depth: SigmaCurve())
    let found = MeasuredLength.distance(known, known, errors)
    #expect(found.calibration == nil && found.sigma == nil && found.sensor != nil)
  }
}
