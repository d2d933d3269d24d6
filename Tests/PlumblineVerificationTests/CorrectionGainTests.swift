import PlumblineCorrection
import PlumblineModel
import PlumblineTestSupport
import PlumblineVerification
import Testing

/// What the corrections gain, in millimeters, where the truth is known.
@Suite struct CorrectionGainTests {
  static let size = RasterSize(width: 240, height: 320)
  static let camera = DemoCapture.healthy.camera.scaled(to: size)
  static let wallMeters = 0.6
  static let scene = SimulatedScene(surfaces: [
    Plane(through: [0, 0, wallMeters], normal: [0, 0, -1], pattern: SimulatedCapture.paint)
  ])
  static let truth = scene.depthMap(from: camera)

  static func record(_ calibration: CameraCalibration) -> DepthRecord {
    var record = DepthRecord(values: .depth(truth), storedType: "fdep", accuracy: .absolute)
    record.calibration = calibration
    record.isFiltered = false
    return record
  }

  /// The largest distance across the axis between a map's points and the true ones.
  static func worstLateralMillimeters(_ corrected: CorrectedDepth) throws -> Double {
    let rays = try #require(corrected.rays)
    var worst = 0.0
    for y in 0..<size.height {
      for x in 0..<size.width {
        let z = Double(corrected.depth.meters[x, y])
        let exact = camera.ray(through: SIMD2(Double(x), Double(y))).point(
          at: Double(truth.meters[x, y]))
        let point = SIMD2(Double(rays.xOverZ[x, y]), Double(rays.yOverZ[x, y])) * z
        let error = point - SIMD2(exact.x, exact.y)
        worst = max(worst, (error * error).sum().squareRoot() * 1000)
      }
    }
    return worst
  }

  @Test func rectificationTakesMillimetersAway() throws {
    var pinhole = Self.camera.calibration
    pinhole.distortion = nil
    let before = try Self.worstLateralMillimeters(CorrectedDepth(Self.record(pinhole)))
    let after = try Self.worstLateralMillimeters(
      CorrectedDepth(Self.record(Self.camera.calibration)))
    // The made-up lens moves points by up to 1 % of their distance from the center, which is up to
    // 0.42 m on a wall at 0.6 m.
    #expect(before > 2 && before < 5, "\(before) mm")
    // The ray table keeps within 0.001 px: 0.001 · 600 mm / 283 px = 0.0021 mm.
    #expect(after < 0.0025, "\(after) mm")
  }

  /// The same with the calibration at the photo's full size, as files have it, and a crop.
  @Test func theFullSizeCalibrationGainsTheSame() throws {
    let corrected = try CorrectedDepth(Self.record(DemoCapture.healthy.camera.calibration))
    #expect(try Self.worstLateralMillimeters(corrected) < 0.0025)
  }

  /// Unscaled intrinsics would make lengths wrong by the ratio of the sizes; here they never are.
  @Test func theBorderThatIsReportedIsTheOneThatIsGained() throws {
    let record = Self.record(Self.camera.calibration)
    var capture = Capture(source: CaptureSource(camera: .trueDepth))
    capture.depth = record
    let assessment = CaptureAssessment(capture, try CorrectedDepth(record))
    let finding = try #require(assessment.findings.first { $0.code == .calibrationDistorted })
    var pinhole = Self.camera.calibration
    pinhole.distortion = nil
    let before = try Self.worstLateralMillimeters(CorrectedDepth(Self.record(pinhole)))
    let percent = try #require(finding.effect.lengthPercent)
    // The border moves most on this lens: millimeters over the corner's distance in millimeters.
    let corner = Self.camera.ray(through: .zero).point(at: 600)
    let distance = (corner.x * corner.x + corner.y * corner.y).squareRoot()
    #expect(before < percent / 100 * distance * 1.01)
    #expect(finding.correction == .applied && assessment.verdict == .corrected)
  }

  /// An iPhone 14 has written fx = 2085.5 beside fy = 2718.4: widths would be 30 % too large.
  @Test func unequalFocalLengthsAreFlaggedAndNotMeasured() throws {
    var wrong = Self.camera.calibration
    wrong.intrinsics.focalLength.x *= 2085.5 / 2718.4
    let record = Self.record(wrong)
    let corrected = try CorrectedDepth(record)
    #expect(try Self.worstLateralMillimeters(corrected) > 70)
    var capture = Capture(source: CaptureSource(camera: .trueDepth))
    capture.depth = record
    let assessment = CaptureAssessment(capture, corrected)
    #expect(assessment.verdict == .untrusted && !assessment.isCalibrationTrusted)
    let finding = try #require(assessment.findings.first)
    #expect(finding.code == .calibrationFocalAspect && finding.severity == .fault)
    #expect(finding.message.contains("23.3 %"))
    #expect(assessment.uncertainty?.lengthPercent == nil)
  }

  /// Two distances turn a relative map of unknown scale and offset into the true one.
  @Test func twoDistancesTakeDecimetersAway() throws {
    let relative = SimulatedCapture([.relative(scale: 0.7, offset: 0.2)])
    let scaled = relative.with {
      $0.knownDistances = [SimulatedCapture.knownNear, SimulatedCapture.knownFar]
    }
    let truth = SimulatedCapture.scene.depthMap(from: SimulatedCapture.camera)
    let before = WorstDifference(try relative.corrected().depth.meters, truth.meters)
    let after = WorstDifference(try scaled.corrected().depth.meters, truth.meters)
    #expect(before.value > 0.05, "\(before)")
    // The far distance is that of one pixel, the fit's that of the 5×5 around on a tilted wall.
    #expect(after.value < 1e-4, "\(after)")
    #expect(try relative.assessment().verdict == .relative)
    #expect(try scaled.assessment().verdict == .corrected)
  }

  /// A tape that contradicts a sensor's own meters is obeyed, and named.
  @Test(arguments: [(1.0, Finding.Severity.note), (1.1, .caution)])
  func distancesThatContradictMetersAreNamed(factor: Double, severity: Finding.Severity) throws {
    let scaled = SimulatedCapture().with {
      $0.knownDistances = [SimulatedCapture.knownNear, SimulatedCapture.knownFar]
      for index in $0.knownDistances.indices { $0.knownDistances[index].meters *= factor }
    }
    let finding = try #require(
      scaled.assessment().findings.first { $0.code == .depthScaledByDistance })
    #expect(finding.severity == severity)
    #expect(finding.message.contains("10.0 % more") == (severity == .caution))
  }
}
