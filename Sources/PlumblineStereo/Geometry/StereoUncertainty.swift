/// How well the geometry of two cameras is known: one standard deviation each.
///
/// A missing number is `nil`, which counts as 0 in the ± of a depth: the ± says so in its basis.
public struct StereoUncertainty: Hashable, Sendable {
  /// Sigma of the baseline, in the unit of the baseline (meters where it is metric).
  public var baselineMeters: Double?
  /// Sigma of the focal length relative to it, without unit.
  public var focalLengthShare: Double?
  /// Sigma of the pixel disparity of infinity, in pixels of the left camera: what is left open by
  /// both principal points and by the angle between the cameras.
  public var offsetPixels: Double?
  /// Sigma of the turn of `rightFromLeft` about the right camera's axes, in radians.
  public var rotationRadians: SIMD3<Double>?
  /// Sigma of the translation of `rightFromLeft`, in meters where it is metric.
  public var translationMeters: SIMD3<Double>?
  /// How far corresponding points are off each other's epipolar line, root mean square in pixels.
  public var epipolarPixels: Double?
  /// Where the numbers come from, in words, such as `covariance of 13 pairs of views`.
  public var basis: String

  /// Creates an uncertainty from its parts.
  public init(
    baselineMeters: Double? = nil, focalLengthShare: Double? = nil, offsetPixels: Double? = nil,
    rotationRadians: SIMD3<Double>? = nil, translationMeters: SIMD3<Double>? = nil,
    epipolarPixels: Double? = nil, basis: String
  ) {
    self.baselineMeters = baselineMeters
    self.focalLengthShare = focalLengthShare
    self.offsetPixels = offsetPixels
    self.rotationRadians = rotationRadians
    self.translationMeters = translationMeters
    self.epipolarPixels = epipolarPixels
    self.basis = basis
  }
}
