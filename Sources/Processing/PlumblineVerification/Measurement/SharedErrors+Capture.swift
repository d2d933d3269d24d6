package import PlumblineModel

extension SharedErrors {
  /// The errors of a capture's points.
  ///
  /// - Parameters:
  ///   - uncertainty: The ± of its depths.
  ///   - calibration: The camera at the size of the map.
  ///   - measured: The ± of a measured calibration with its reference; `nil` for a producer's own,
  ///     which states no ± of its principal point.
  package init(
    _ uncertainty: DepthUncertainty, measured: CalibrationUncertainty? = nil,
    reference: CameraCalibration? = nil
  ) {
    var center = SIMD2<Double>.zero
    if let sigma = measured?.principalPointPixels, let focal = reference?.intrinsics.focalLength {
      center = sigma / focal
    }
    self.init(
      focalShare: uncertainty.focalPercent.map { $0 / 100 }, principalPointShare: center,
      depth: uncertainty.sharedDepth)
  }
}
