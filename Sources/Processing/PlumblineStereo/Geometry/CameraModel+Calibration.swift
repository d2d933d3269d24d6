public import PlumblineModel
public import PlumblineVision

extension CameraModel {
  /// The camera of a calibration as a reader gives it.
  public init(_ calibration: CameraCalibration) {
    guard let distortion = calibration.distortion, !distortion.isZero else {
      self.init(intrinsics: calibration.intrinsics)
      return
    }
    self.init(intrinsics: calibration.intrinsics, lens: .radial(distortion))
  }

  /// The same camera for an image resampled to another size.
  ///
  /// - Precondition: The aspect ratios agree; see `PinholeIntrinsics.matchesAspect(of:)`.
  public func scaled(to size: RasterSize) -> CameraModel {
    switch lens {
    // Brown's terms count normalized coordinates, which no size changes.
    case .none, .polynomial:
      return CameraModel(intrinsics: intrinsics.scaled(to: size), lens: lens)
    case .radial(let distortion):
      return CameraModel(
        CameraCalibration(intrinsics: intrinsics, distortion: distortion).scaled(to: size))
    }
  }
}
