import PlumblineModel
import PlumblineTestSupport
import Testing

@Suite struct SimulatedSensorTests {
  static let camera = SimulatedSceneTests.camera()
  static let scene = SimulatedScene(surfaces: [
    OrientedBox(
      center: [0, 0, 0.55], halfSize: [0.08, 0.3, 0.05], pattern: SimulatedSceneTests.paint),
    Plane(through: [0, 0, 1.2], normal: [0, 0, -1], pattern: SimulatedSceneTests.paint),
  ])

  @Test func thePerfectSensorMeasuresTheTruth() {
    let measured = SimulatedTrueDepthSensor.perfect.measurement(
      of: Self.scene, from: Self.camera, seed: 1)
    let difference = WorstDifference(
      measured.disparity.inverseMeters, Oracle.reciprocal(measured.truth.meters))
    // One unit in the last place of a disparity of 2 1/m.
    #expect(difference.value <= 2.4e-7, "\(difference)")
  }

  @Test func equalSeedsGiveEqualMaps() {
    let sensor = SimulatedTrueDepthSensor()
    let maps = [5, 5, 6].map { seed in
      sensor.measurement(of: Self.scene, from: Self.camera, seed: seed)
        .disparity.halfPrecisionInverseMeters
    }
    #expect(maps[0] == maps[1])
    #expect(maps[0] != maps[2])
  }

  @Test func shadowsLieAtTheLeftOfThingsAndTheFilterFillsThem() {
    var sensor = SimulatedTrueDepthSensor()
    let raw = sensor.measurement(of: Self.scene, from: Self.camera, seed: 1)
    let row = raw.disparity.inverseMeters.row(24)
    let holes = row.enumerated().filter { $0.element.isNaN }.map(\.offset)
    // The box's near face begins at column 30.25 − 60·0.08/0.5 = 20.65; at 1.2 m the projector,
    // 28 mm to the right, shades 60·0.028·(1/0.5 − 1/1.2) = 1.96 px beside it.
    #expect(holes == [19, 20])
    sensor.isFiltered = true
    let filtered = sensor.measurement(of: Self.scene, from: Self.camera, seed: 1)
    #expect(filtered.disparity.inverseMeters.samples.allSatisfy { $0.isFinite })
    #expect(abs(filtered.disparity.inverseMeters[19, 24] - 1 / 1.2) < 0.02)
  }

  @Test func storedCodesUseTheFullRangeAndNearIsBright() {
    let measured = SimulatedTrueDepthSensor().measurement(
      of: Self.scene, from: Self.camera, seed: 2)
    let (codes, quantization) = measured.quantized()
    #expect(codes.samples.min() == 0)
    #expect(codes.samples.max() == 255)
    #expect(codes[30, 24] > codes[60, 24])
    let values = Oracle.values(of: codes, quantization: quantization)
    for (value, exact) in zip(values.samples, measured.disparity.inverseMeters.samples)
    where exact.isFinite {
      // Half a step, and single precision's rounding of a disparity of 2 1/m.
      #expect(abs(Double(value - exact)) <= quantization.step / 2 + 5e-7)
    }
  }

  @Test func faultsDoWhatTheirNamesSay() {
    let exact = SimulatedTrueDepthSensor.perfect.measurement(
      of: Self.scene, from: Self.camera, seed: 1)
    let relative = exact.with(.relative(scale: 0.8, offset: 0.1))
    let stored = Double(relative.disparity.inverseMeters[60, 24])
    #expect(abs(0.8 * stored + 0.1 - 1 / 1.2) < 1e-6)
    #expect(relative.accuracy == .relative)
    let mirrored = exact.with(.mirrored).disparity.inverseMeters
    #expect(mirrored[3, 24] == exact.disparity.inverseMeters[60, 24])
    // Column 0 shows what stood at 31.5 − 31.5·0.95074 = 1.55 px, rounded to 2.
    let ramp = SensorMeasurement(
      truth: exact.truth,
      disparity: DisparityMap(
        inverseMeters: Raster(size: Self.camera.size) { x, _ in Float(x + 1) }),
      calibration: Self.camera.calibration, isFiltered: false)
    let zoomed = ramp.with(.misalignedZoom(0.95074)).disparity.inverseMeters
    #expect(zoomed[0, 24] == 3)
    #expect(zoomed[63, 24] == 62)
  }
}
