import PlumblineModel
import PlumblineStreams

/// What formats of posed color images hold of a capture; see ``NerfstudioRecordingWriter`` and
/// ``COLMAPRecordingWriter``.
///
/// Apart from ``RGBDFrame``: the color image gives the size, a pose is required and depth is not.
struct PosedImage {
  let worldFromCamera: RigidTransform
  /// The camera at the size of the color image, or at its own where there is none.
  let intrinsics: PinholeIntrinsics
  /// `k1`, `k2`, `k3`; zeros without distortion.
  let radial: SIMD3<Double>
  let color: Raster<RGB8>?
  /// Whole millimeters, 0 where not measured.
  let depth: Raster<UInt16>?

  /// Takes a capture apart.
  ///
  /// - Throws: `.unrepresentable` for one without pose or camera, with a lens given by tables, or
  ///   with depths that are not meters or that 16 bits of millimeters cannot hold.
  init(_ capture: Capture, format: String, frame: String) throws(RecordingWritingError) {
    func unrepresentable(_ expected: String, _ found: String) -> RecordingWritingError {
      .unrepresentable(format: format, frame: frame, expected: expected, found: found)
    }
    guard let worldFromCamera = capture.worldFromCamera else {
      throw unrepresentable("a pose", "none")
    }
    guard worldFromCamera.rotation.orthogonalityError < 1e-6,
      worldFromCamera.rotation.determinant > 0
    else { throw unrepresentable("a pose", "one whose rotation is none") }
    guard var calibration = capture.colorCalibration ?? capture.depth?.calibration else {
      throw unrepresentable("the camera's numbers", "none")
    }
    if let size = capture.color?.size, size != calibration.intrinsics.size {
      guard calibration.intrinsics.matchesAspect(of: size) else {
        throw unrepresentable(
          "numbers of the color camera", "some for \(calibration.intrinsics.size), not \(size)")
      }
      calibration = calibration.scaled(to: size)
    }
    var radial = SIMD3<Double>()
    if let distortion = calibration.distortion, !distortion.isZero {
      guard let terms = distortion.radialPolynomial(of: calibration.intrinsics) else {
        throw unrepresentable("a rectified image or a lens of k1, k2, k3", "a lens given by tables")
      }
      radial = terms
    }
    self.worldFromCamera = worldFromCamera
    self.radial = radial
    intrinsics = calibration.intrinsics
    color = capture.color
    guard let record = capture.depth else {
      depth = nil
      return
    }
    guard record.hasUnit, record.accuracy != .relative else {
      throw unrepresentable("depths in meters", "relative ones; calibrate them first")
    }
    guard let map = record.depthMap(camera: record.calibration?.intrinsics) else {
      throw unrepresentable("the camera of a map of ray lengths", "none")
    }
    let codes = DepthCodes(map, codesPerMeter: 1000)
    guard codes.tooFarCount + codes.tooNearCount == 0 else {
      throw unrepresentable("depths from 1 mm to 65.535 m", "some beyond")
    }
    depth = codes.codes
  }
}
