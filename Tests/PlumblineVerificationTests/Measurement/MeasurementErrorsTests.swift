import PlumblineModel
import PlumblineTestSupport
import PlumblineVerification
import Testing

/// The errors of a capture's points are those of its check, each counted once.
@Suite struct MeasurementErrorsTests {
  private func errors(_ capture: SimulatedCapture) throws -> (MeasurementErrors, CaptureAssessment)
  {
    let assessment = try capture.assessment()
    let uncertainty = try #require(assessment.uncertainty)
    return (
      MeasurementErrors(
        uncertainty, of: capture.record, mapWidth: SimulatedCapture.size.width),
      assessment
    )
  }

  @Test(arguments: [CaptureSource.Camera.trueDepth, .lidar])
  func thePartsGiveTheNumbersOfTheCheck(camera: CaptureSource.Camera) throws {
    let (errors, assessment) = try errors(SimulatedCapture().with { $0.source.camera = camera })
    let uncertainty = try #require(assessment.uncertainty)
    let median = try #require(assessment.statistics?.medianMeters)
    for depth in [0.3, median, 2] {
      let sensor = try #require(errors.sensorSigma(atDepth: depth))
      let shared = errors.shared.depth.sigmaMeters(atDepth: depth)
      let total = uncertainty.total.sigmaMeters(atDepth: depth)
      // Rounding of sums in another order.
      #expect(abs((sensor * sensor + shared * shared).squareRoot() - total) < 1e-12)
    }
    // A length across the image at the median depth has the share that `check` states.
    let points = [SIMD3(-0.1, 0, 1), SIMD3(0.1, 0, 1)].map {
      MeasurementPoint(position: $0 * median, sensorSigma: 0)
    }
    let found = MeasuredLength.distance(points[0], points[1], errors.shared)
    let percent = 100 * (found.sigma ?? .nan) / found.value
    #expect(abs(percent - (uncertainty.lengthPercent ?? 0)) < 1e-9)
  }

  @Test func confidenceMakesNoiseLargerOrUnknown() throws {
    let (errors, _) = try errors(SimulatedCapture().with { $0.source.camera = .lidar })
    let full = try #require(errors.sensorSigma(atDepth: 1, confidence: (2, 2)))
    #expect(errors.sensorSigma(atDepth: 1) == full)
    #expect(errors.sensorSigma(atDepth: 1, confidence: (1, 2)) == 5 * full)
    #expect(errors.sensorSigma(atDepth: 1, confidence: (0, 2)) == nil)
  }

  @Test func aSensorThatIsNotKnownHasNoSigma() throws {
    let (errors, _) = try errors(SimulatedCapture().with { $0.source.camera = .unknown })
    #expect(errors.sensor == nil)
  }
}
