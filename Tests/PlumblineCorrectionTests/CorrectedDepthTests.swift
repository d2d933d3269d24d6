import PlumblineCorrection
import PlumblineModel
import PlumblineTestSupport
import Testing

@Suite struct CorrectedDepthTests {
  let measured = SimulatedTrueDepthSensor.perfect.measurement(
    of: StepScene.scene, from: StepScene.camera, seed: 1)

  func points(_ corrected: CorrectedDepth) throws -> [SIMD3<Float>] {
    let rays = try #require(corrected.rays)
    return corrected.depth.meters.packed.samples.enumerated().map { index, z in
      SIMD3(rays.xOverZ.samples[index] * z, rays.yOverZ.samples[index] * z, z)
    }
  }

  @Test func aSoundRecordKeepsItsNumbers() throws {
    let corrected = try CorrectedDepth(measured.depthRecord())
    #expect(corrected.isMetric && corrected.distanceFit == nil)
    #expect(corrected.calibration == StepScene.camera.calibration)
    #expect(corrected.steps.map(\.name) == ["inverted", "rectified-points"])
    let difference = WorstDifference(corrected.depth.meters, measured.truth.meters)
    // Two reciprocals in single precision of at most 1.2 m.
    #expect(difference.value < 3e-7, "\(difference)")
    let expected = Oracle.points(of: measured.truth, calibration: StepScene.camera.calibration)
    for (point, exact) in zip(try points(corrected), expected) {
      let error = SIMD3<Double>(point) - exact
      // The ray table keeps within 0.001 px: 0.001 · 1.2 m / 60 px.
      #expect((error * error).sum().squareRoot() < 2e-5)
    }
  }

  @Test func intrinsicsOfALargerImageAreScaledAboutPixelCorners() throws {
    let larger = StepScene.camera.scaled(to: RasterSize(width: 256, height: 192))
    var record = measured.depthRecord()
    record.calibration = larger.calibration
    let corrected = try CorrectedDepth(record)
    let calibration = try #require(corrected.calibration)
    let exact = StepScene.camera.calibration.intrinsics
    #expect(calibration.intrinsics.size == StepScene.size)
    #expect(calibration.intrinsics.focalLength == larger.calibration.intrinsics.focalLength / 4)
    let offset = calibration.intrinsics.principalPoint - exact.principalPoint
    #expect((offset * offset).sum().squareRoot() < 1e-12)
    #expect(corrected.steps.first?.name == "scaled-intrinsics")
    #expect(corrected.steps.first?.detail == "256×192 to 64×48, pixel centers")
    let same = try points(CorrectedDepth(measured.depthRecord()))
    for (a, b) in zip(try points(corrected), same) {
      // Both lenses are tables of single precision.
      #expect(((a - b) * (a - b)).sum() < 1e-12)
    }
  }

  @Test(arguments: [PixelRectangle(x: 5, y: 7, width: 40, height: 21)])
  func aCropMovesPixelsAndCalibrationTogether(crop: PixelRectangle) throws {
    var record = measured.depthRecord()
    let whole = try points(CorrectedDepth(record))
    record.cleanAperture = crop
    let corrected = try CorrectedDepth(record)
    #expect(corrected.depth.size == crop.size && corrected.rays?.size == crop.size)
    #expect(corrected.calibration?.intrinsics.size == crop.size)
    #expect(corrected.steps.map(\.name) == ["cropped", "inverted", "rectified-points"])
    for (index, point) in try points(corrected).enumerated() {
      let x = index % crop.size.width + crop.x
      let y = index / crop.size.width + crop.y
      let error = point - whole[y * StepScene.size.width + x]
      // Rounding of a smaller principal point; 1e-6 of 1 m.
      #expect((error * error).sum() < 1e-12)
    }
  }

  @Test func aCropAndALargerReferenceWorkTogether() throws {
    var record = measured.depthRecord()
    record.cleanAperture = PixelRectangle(x: 5, y: 7, width: 40, height: 21)
    let small = try points(CorrectedDepth(record))
    record.calibration =
      StepScene.camera.scaled(to: RasterSize(width: 640, height: 480))
      .calibration
    let large = try CorrectedDepth(record)
    #expect(large.steps.map(\.name).prefix(2) == ["scaled-intrinsics", "cropped"])
    for (a, b) in zip(small, try points(large)) { #expect(((a - b) * (a - b)).sum() < 1e-12) }
  }

  /// A reference that has the shape of the crop was moved with it; it must not be moved again.
  @Test func aCalibrationOfTheCropIsOnlyScaled() throws {
    let crop = PixelRectangle(x: 4, y: 4, width: 40, height: 40)
    var record = measured.depthRecord()
    record.cleanAperture = crop
    let own = StepScene.camera.calibration.cropped(to: crop)
    record.calibration = own.scaled(to: RasterSize(width: 80, height: 80))
    let corrected = try CorrectedDepth(record)
    #expect(corrected.calibration?.intrinsics == own.intrinsics)
    #expect(corrected.steps.first?.detail == "80×80 to 40×40, pixel centers")
    record.calibration = own
    #expect(try CorrectedDepth(record).steps.first?.name == "cropped")
  }

  @Test func anotherShapeGivesNoCalibration() throws {
    var record = measured.depthRecord()
    record.calibration?.intrinsics.size = RasterSize(width: 64, height: 64)
    let corrected = try CorrectedDepth(record)
    #expect(corrected.calibration == nil && corrected.rays == nil)
    #expect(corrected.steps.map(\.name) == ["inverted"])
    #expect(corrected.isMetric)
  }

  @Test func rangesBecomeDepthsAlongTheRectifiedRays() throws {
    let lengths = Oracle.points(of: measured.truth, calibration: StepScene.camera.calibration)
      .map { Float(($0 * $0).sum().squareRoot()) }
    var record = measured.depthRecord()
    record.values = .range(RangeMap(meters: Raster(size: StepScene.size, samples: lengths)))
    let corrected = try CorrectedDepth(record)
    #expect(corrected.steps.map(\.name) == ["projected-rays", "rectified-points"])
    let difference = WorstDifference(corrected.depth.meters, measured.truth.meters)
    // 0.001 px of the ray table and single precision.
    #expect(difference.value < 1e-5, "\(difference)")
    record.calibration = nil
    let unknown = try CorrectedDepth(record)
    #expect(unknown.steps.isEmpty && unknown.depth.meters.samples == lengths)
  }

  @Test func distancesMakeItMetricAndMeanStoredPixels() throws {
    var record = StepScene.measurement(scale: 0.6, offset: 0.2).depthRecord()
    #expect(try !CorrectedDepth(record).isMetric)
    record.cleanAperture = PixelRectangle(x: 17, y: 9, width: 45, height: 30)
    let corrected = try CorrectedDepth(
      record, knownDistances: [DistanceFitTests.near, DistanceFitTests.far])
    #expect(corrected.isMetric)
    #expect(corrected.steps.map(\.name).contains("scaled-by-distance"))
    let fit = try #require(corrected.distanceFit)
    #expect(abs(fit.scale - 0.6) < 1e-6 && abs(fit.offset - 0.2) < 1e-6)
    #expect(abs(corrected.depth.meters[30 - 17, 24 - 9] - 0.5) < 1e-6)
  }

  @Test(arguments: DepthRecord.Accuracy.allCases, [true, false])
  func onlyAbsoluteNumbersWithAUnitAreMeters(accuracy: DepthRecord.Accuracy, hasUnit: Bool) throws {
    var record = measured.depthRecord()
    record.accuracy = accuracy
    record.hasUnit = hasUnit
    #expect(try CorrectedDepth(record).isMetric == (accuracy == .absolute && hasUnit))
  }
}
