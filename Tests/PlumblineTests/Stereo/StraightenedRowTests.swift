import Plumbline
import PlumblineTestSupport
import Testing

@Suite("Rows of a file that states no turns") struct StraightenedRowTests {
  /// The pair as a spatial photo states it: positions and focal lengths, no turns.
  private func result(_ pair: LayeredPair) throws -> StereoResult {
    var (left, right) = (StereoImage(color: pair.left), StereoImage(color: pair.right))
    let camera = CameraCalibration(intrinsics: pair.intrinsics)
    (left.camera, right.camera) = (camera, camera)
    left.referenceFromCamera = .identity
    right.referenceFromCamera = RigidTransform(
      rotation: .identity, translation: pair.rightFromLeft.inverse.translation)
    return try StereoReconstructor().reconstruct(left: left, right: right, fileName: "pair")
  }

  @Test(
    "A known pitch and roll are found, undone and reported with their ±",
    arguments: [SIMD3(0.012, 0, 0.008), SIMD3(-0.01, 0, -0.015), SIMD3(0.002, 0.012, 0.006)])
  func straightened(turn: SIMD3<Double>) throws {
    let pair = LayeredPair(size: RasterSize(width: 400, height: 300), turn: turn)
    let result = try result(pair)
    #expect(result.geometry.basis == .file)
    let finding = try #require(
      result.analysis.assessment.findings.first { $0.code == .stereoVerticalResidual })
    // 0.012 radians of yaw and as much distortion differ by 1.3 px at 200 px from the middle.
    let isAmbiguous = turn.y != 0
    #expect(finding.severity == (isAmbiguous ? .caution : .note), "\(finding)")
    #expect(finding.evidence.contains("±"), "\(finding)")
    let sigma = try #require(result.geometry.calibration.uncertainty?.offsetPixels)
    #expect(isAmbiguous ? sigma > 0.3 && sigma < 0.6 : sigma < 0.16, "\(sigma)")
    let found = result.geometry.calibration.rightFromLeft.rotation.axisAngle
    let truth = pair.rightFromLeft.rotation.axisAngle
    // A tenth of a pixel of 360 px focal length is 0.0003 radians.
    #expect(abs(found.x - truth.x) < 0.001, "\(found) \(truth)")
    #expect(abs(found.z - truth.z) < 0.002, "\(found) \(truth)")
    // Rows of this image change by 0.1 px for 0.002 radians.
    #expect(abs(found.y - truth.y) < 0.004, "\(found) \(truth)")
  }

  @Test("Rows that agree are left as the file states them") func straight() throws {
    let pair = LayeredPair(size: RasterSize(width: 400, height: 300))
    let result = try result(pair)
    #expect(result.geometry.calibration.rightFromLeft.rotation == .identity)
    #expect(!result.analysis.assessment.findings.contains { $0.code == .stereoVerticalResidual })
  }
}
