public import PlumblineModel
import PlumblineVision

extension StereoRectification {
  /// The geometry of images whose rows agree already: nothing is resampled.
  ///
  /// - Parameter calibration: Two pinholes of one size, without turn, the right one at the right,
  ///   that differ in the principal point's column at most.
  /// - Throws: `.mismatch` for other cameras, `.degenerate` for a baseline of 0.
  public init(asTaken calibration: StereoCalibration) throws(StereoError) {
    let (left, right) = (calibration.left, calibration.right)
    let place = calibration.rightCenterInLeft
    guard left.intrinsics.size == right.intrinsics.size,
      left.intrinsics.focalLength == right.intrinsics.focalLength,
      left.intrinsics.principalPoint.y == right.intrinsics.principalPoint.y,
      calibration.rightFromLeft.rotation == .identity, place.y == 0, place.z == 0
    else {
      throw StereoError(
        .mismatch, expected: "cameras of one kind, side by side and in one direction",
        found: "others, which must be rectified")
    }
    try calibration.requireBaseline()
    guard place.x > 0 else { throw PairMotion.swapped }
    self.calibration = calibration
    self.left = left.intrinsics
    self.right = right.intrinsics
    baselineMeters = calibration.baselineMeters
    rectifiedFromLeft = .identity
    rectifiedFromRight = .identity
    turn = .up
    leftCamera = try RectifiedCamera(left, .identity, aperture: calibration.leftCleanAperture)
    rightCamera = try RectifiedCamera(right, .identity, aperture: calibration.rightCleanAperture)
  }
}

extension RectifiedImages {
  /// Two images whose rows agree as they were taken.
  ///
  /// - Throws: `.mismatch` for images of two sizes.
  public init(asTaken left: Raster<RGB8>, right: Raster<RGB8>) throws(StereoError) {
    guard left.size == right.size else {
      throw StereoError(
        .mismatch, expected: "two images of one size", found: "\(left.size) and \(right.size)")
    }
    self.init(
      pair: RectifiedPair(left: left.luma, right: right.luma), leftColor: left.packed)
  }
}
