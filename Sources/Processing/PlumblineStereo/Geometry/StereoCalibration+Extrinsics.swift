public import PlumblineModel

/// The direction of a producer's extrinsic matrix.
public enum ExtrinsicsDirection: String, Sendable, CaseIterable {
  /// The camera's pose in the reference frame, as which `CameraExtrinsics` reads Apple's matrix.
  case referenceFromCamera
  /// The pose of the reference in the camera's frame: the matrix `[R | t]` of textbooks. The slides of
  /// WWDC 2017, session 507, show that form, but not what it is applied to.
  case cameraFromReference

  /// The other direction.
  package var opposite: ExtrinsicsDirection {
    self == .referenceFromCamera ? .cameraFromReference : .referenceFromCamera
  }
}

extension StereoCalibration {
  /// Joins two cameras whose extrinsics refer to one reference camera, as those of Apple's dual
  /// photos: the tele camera is the world's origin, translations are in millimeters.
  ///
  /// No public file has two cameras, so the direction of the matrix was never verified on a device.
  /// To find out, rectify matched pixels with both directions: if the cameras are turned against each
  /// other, rows agree only for the right one.
  /// - Parameters:
  ///   - left: The camera that depth is computed for.
  ///   - right: The other one.
  ///   - direction: How the matrices are meant.
  /// - Throws: `.missing` when a camera has no extrinsics, `.degenerate` when both stand at one position.
  /// - Source: Apple, `AVCameraCalibrationData.h`, *extrinsicMatrix*; WWDC 2017, session 507.
  public init(
    left: CameraCalibration, right: CameraCalibration,
    direction: ExtrinsicsDirection = .referenceFromCamera
  ) throws(StereoError) {
    guard let leftPlace = left.extrinsics, let rightPlace = right.extrinsics else {
      let found =
        switch (left.extrinsics == nil, right.extrinsics == nil) {
        case (true, true): "none"
        case (true, false): "only those of the right one"
        default: "only those of the left one"
        }
      throw StereoError(
        .missing, expected: "extrinsics of both cameras, told to one reference",
        found: found)
    }
    let (a, b) = (leftPlace.referenceFromCamera, rightPlace.referenceFromCamera)
    let rightFromLeft = direction == .referenceFromCamera ? b.inverse * a : b * a.inverse
    self.init(left: left, right: right, rightFromLeft: rightFromLeft)
    try requireBaseline()
  }

  /// Refuses cameras at one position: a turn alone shows no depth.
  func requireBaseline() throws(StereoError) {
    let baseline = baselineMeters
    // No two cameras are a micrometer apart: the glass of a lens alone moves its center by more. NaN
    // fails as well.
    guard baseline >= 1e-6, baseline < 1e6 else {
      throw StereoError(
        .degenerate, expected: "two cameras apart from each other",
        found: "a baseline of \(baseline) \(isMetric ? "m" : "units")")
    }
    guard rightFromLeft.rotation.orthogonalityError < 1e-6, rightFromLeft.rotation.determinant > 0
    else {
      throw StereoError(
        .mismatch, expected: "a rotation between the cameras",
        found: "a matrix that is not orthogonal, or a mirror")
    }
  }
}
