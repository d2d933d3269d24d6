public import PlumblineVision

extension StereoCalibration {
  /// Takes the estimate from boards, with its ±.
  public init(_ estimate: StereoCalibrationEstimate) {
    let focal = estimate.left[.focal]
    self.init(
      left: estimate.left, right: estimate.right, rightFromLeft: estimate.rightFromLeft,
      uncertainty: StereoUncertainty(
        baselineMeters: estimate.baselineSigma,
        focalLengthShare: estimate.leftSigma(of: .focal).map { $0 / focal },
        offsetPixels: estimate.offsetSigmaPixels, rotationRadians: estimate.sigmaRotation,
        translationMeters: estimate.sigmaTranslation,
        epipolarPixels: estimate.epipolarRMSPixels,
        basis: "covariance of \(estimate.pairs.count) pairs of views of a board, the larger one of "
          + "formal and jackknife"))
  }
}
