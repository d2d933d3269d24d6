import PlumblineModel
import PlumblineTestSupport
import PlumblineVerification
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Planes of points whose camera is not known, and points whose errors have no direction.
@Suite struct CloudPlaneTests {
  static let errors = CloudErrors(direction: .unknown, shared: .lengths(share: 0.01))

  private func length(_ vector: SIMD3<Double>) -> Double { (vector * vector).sum().squareRoot() }

  /// Points of a plane through `middle` with the normal, each off by `noise` along it.
  private func points(
    _ normal: SIMD3<Double>, through middle: SIMD3<Double>, noise: Double, count: Int = 60,
    _ random: inout SeededGenerator
  ) -> [MeasurementPoint] {
    var across = SIMD3(1.0, 0, 0) - normal * normal.x
    across /= length(across)
    let other = SIMD3(
      normal.y * across.z - normal.z * across.y, normal.z * across.x - normal.x * across.z,
      normal.x * across.y - normal.y * across.x)
    return (0..<count).map { _ in
      let place =
        middle + across * random.uniform(in: -0.5..<0.5) + other * random.uniform(in: -0.5..<0.5)
        + normal * (noise * random.gaussian())
      return MeasurementPoint(position: place, sensorSigma: 0.01, direction: .unknown)
    }
  }

  @Test(arguments: 0..<50)
  func anExactPlaneIsFoundWhereverItLies(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    var normal = SIMD3(random.gaussian(), random.gaussian(), random.gaussian())
    normal /= length(normal)
    let middle = SIMD3(random.gaussian(), random.gaussian(), random.gaussian()) * 3
    let points = points(normal, through: middle, noise: 0, &random)
    let plane = try #require(CloudPlane(fitting: points, Self.errors, up: nil))
    let away = (normal * middle).sum()
    // A plane through the origin has no side of the origin.
    guard abs(away) > 0.05 else { return }
    // Ten digits of the extent remain of those that the far view costs.
    #expect(abs(plane.distance.value - abs(away)) < 1e-9)
    #expect(abs(plane.tilt(to: [0, 0, 1]).value - acos(min(1, abs(normal.z)))) < 1e-7)
    #expect(plane.flatness.value < 1e-9)
    // On the side of the origin.
    let toward = away < 0 ? normal : -normal
    for (axis, value) in plane.normalCoordinates.enumerated() {
      #expect(abs(value.value - toward[axis]) < 1e-9)
    }
    let above = MeasurementPoint(
      position: middle + toward * 0.4, sensorSigma: 0.01, direction: .unknown)
    #expect(abs(plane.height(of: above).value - 0.4) < 1e-9)
    // All lengths share 1 %, whatever the place of the origin.
    #expect(abs((plane.distance.scale ?? .nan) - 0.01 * abs(away)) < 1e-8)
    #expect(abs((plane.height(of: above).scale ?? .nan) - 0.004) < 1e-8)
    #expect((plane.tilt(to: [0, 0, 1]).scale ?? .nan) < 1e-8)
  }

  @Test func theNormalPointsUpWhereUpIsKnown() throws {
    var random = SeededGenerator(seed: 3)
    // A ceiling: the origin is below it.
    let points = points([0, 1, 0], through: [0.2, 1.1, -0.4], noise: 0, &random)
    let plane = try #require(CloudPlane(fitting: points, Self.errors, up: [0, 1, 0]))
    #expect(abs(plane.normalCoordinates[1].value - 1) < 1e-9)
    let unknown = try #require(CloudPlane(fitting: points, Self.errors, up: nil))
    #expect(abs(unknown.normalCoordinates[1].value + 1) < 1e-9)
  }

  @Test func aMeanOfPointsIsNoBetterThanOneWhereNothingSaysWhatTheyShare() throws {
    var random = SeededGenerator(seed: 4)
    for count in [20, 80, 320] {
      let points = points([0, 0, 1], through: [0, 0, 2], noise: 0.01, count: count, &random)
      let plane = try #require(CloudPlane(fitting: points, Self.errors, up: nil))
      // The plane's middle has σ of one point, its other places more.
      let sensor = try #require(plane.distance.sensor)
      #expect(sensor > 0.009 && sensor < 0.015, "\(count): \(sensor)")
    }
    var independent = Self.errors
    independent.region = .independent
    let points = points([0, 0, 1], through: [0, 0, 2], noise: 0.01, count: 400, &random)
    let plane = try #require(CloudPlane(fitting: points, independent, up: nil))
    // σ/√n = 0.5 mm, a little more where the origin is not over the middle.
    #expect(abs((plane.distance.sensor ?? .nan) - 0.0005) < 0.0001)
  }

  @Test func withRaysItIsThePlaneOfMaps() throws {
    var random = SeededGenerator(seed: 9)
    var trial = MeasurementTrial(
      SimulatedScene(surfaces: [MeasurementTrial.wall]), distance: 0.5, tilt: 0.2, &random)
    let region = trial.region(PixelRectangle(x: 20, y: 30, width: 40, height: 30))
    let errors = CloudErrors(
      direction: .ray, shared: MeasurementTrial.shared, noise: MeasurementTrial.noise,
      region: .independent)
    let found = try #require(
      CloudPlane(fitting: region.points.compactMap(\.self), errors, up: nil))
    let expected = try #require(region.plane)
    #expect(found.distance == expected.distance(MeasurementTrial.shared))
    #expect(found.tilt(to: [0, 0, 1]) == MeasuredAngle.tilt(of: expected, MeasurementTrial.shared))
    #expect(found.normalCoordinates == expected.normalCoordinates(MeasurementTrial.shared))
  }

  @Test func pointsOnALineHaveNoPlane() {
    let points = (0..<30).map {
      MeasurementPoint(
        position: SIMD3(1, 2, 3) * Double($0), sensorSigma: 0.01, direction: .unknown)
    }
    #expect(CloudPlane(fitting: points, Self.errors, up: nil) == nil)
    let same = [MeasurementPoint](repeating: points[1], count: 30)
    #expect(CloudPlane(fitting: same, Self.errors, up: nil) == nil)
  }

  @Test func anErrorWithoutDirectionCountsWhollyAlongALine() {
    func point(_ position: SIMD3<Double>, _ sigma: Double) -> MeasurementPoint {
      MeasurementPoint(position: position, sensorSigma: sigma, direction: .unknown)
    }
    let shared = SharedErrors.lengths(share: 0.01)
    // Also in the plane z = 0 and behind it, where no camera sees.
    let (a, b) = (point([0, 0, 0], 0.003), point([0, -4, -3], 0.004))
    let found = MeasuredLength.distance(a, b, shared)
    #expect(found.value == 5)
    #expect(abs((found.sensor ?? .nan) - 0.005) < 1e-15)
    #expect(abs((found.scale ?? .nan) - 0.05) < 1e-15)
    #expect(found.calibration == 0)
    let none = MeasuredLength.distance(a, b, .unknown)
    #expect(none.sensor != nil && none.sigma == nil)
    #expect(none.calibration == nil && none.scale == nil)
  }

  @Test func whatSigmaHoldsOfSharedErrorsIsTakenOut() {
    let errors = CloudErrors(
      direction: .ray, shared: .unknown, heldInSigma: SigmaCurve(perMeter: 0.004))
    let point = errors.point(at: [0.1, 0, 1], sigma: 0.005)
    #expect(abs((point.sensorSigma ?? .nan) - 0.003) < 1e-15)
    #expect(errors.point(at: [0.1, 0, 1], sigma: 0.003).sensorSigma == 0)
    for sigma in [nil, Double.nan, -1, .infinity] {
      #expect(errors.point(at: [0.1, 0, 1], sigma: sigma).sensorSigma == nil)
    }
  }
}
