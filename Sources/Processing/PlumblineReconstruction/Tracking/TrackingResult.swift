internal import PlumblineModel
internal import PlumblineNumerics

/// A frame registered to a surface.
package struct TrackingResult: Sendable {
  /// The pose of the camera; its covariance is that of the pose relative to the surface's.
  ///
  /// It is `(H·n_eff/n + Σ⁻¹)⁻¹` with the information `H` of the frame and the covariance Σ of the prior. Errors that
  /// a frame shares with the surface, such as the scale of a sensor, are not in it.
  ///
  /// - Source: A. Censi, ICRA 2007, for the form without correspondences' own error, which is overconfident
  ///   (arXiv 1909.05722): `n_eff` and the residuals' scale widen it.
  package var estimate: PoseEstimate
  /// How well the frame fits.
  package var quality: TrackingQuality
}

/// How well a frame fits the surface that it was registered to.
package struct TrackingQuality: Hashable, Sendable {
  /// The points of the frame that took part.
  package var pointCount: Int
  /// The share of them that meets a surface of the view.
  package var overlap: Double
  /// The share of those that fits it: residual below the limit and normals that agree; 0 without any.
  package var inlierShare: Double
  /// The median of the residuals' magnitude along the normal, of points that fit; NaN without any.
  package var medianMeters: Double
  /// The root mean square of the residuals, weighted; NaN without any.
  package var rootMeanSquareMeters: Double
  /// The median of |residual|/σ of all points whose normals agree; 0.67 where σ is right, NaN without any.
  package var medianSigmas: Double
  /// What each σ was multiplied by, 1 or more: the residuals are that much larger than σ promises.
  package var scale: Double
  /// The direction of translation of which the frame says least, in the axes of the camera.
  package var weakestDirection: SIMD3<Double>
  /// Its information divided by that of the strongest direction, 0 to 1: 1 in a corner, near 0 before one wall.
  package var weakestShare: Double
  /// The number of directions, of six, in which the prior was kept.
  package var keptDirections: Int
  /// The number of directions that the depths leave open and the colors fix.
  package var colorDirections: Int
  /// The number of directions that neither depths nor colors fix, and motion sensors do.
  package var sensedDirections: Int
  /// The length of the correction of the prior in its own σ.
  package var correctionSigmas: Double

  /// Collects what is known of a frame.
  package init(
    pointCount: Int, overlap: Double, inlierShare: Double, medianMeters: Double,
    rootMeanSquareMeters: Double, medianSigmas: Double, scale: Double,
    weakestDirection: SIMD3<Double>, weakestShare: Double, keptDirections: Int,
    colorDirections: Int = 0, sensedDirections: Int = 0, correctionSigmas: Double
  ) {
    self.pointCount = pointCount
    self.overlap = overlap
    self.inlierShare = inlierShare
    self.medianMeters = medianMeters
    self.rootMeanSquareMeters = rootMeanSquareMeters
    self.medianSigmas = medianSigmas
    self.scale = scale
    self.weakestDirection = weakestDirection
    self.weakestShare = weakestShare
    self.keptDirections = keptDirections
    self.colorDirections = colorDirections
    self.sensedDirections = sensedDirections
    self.correctionSigmas = correctionSigmas
  }
}
