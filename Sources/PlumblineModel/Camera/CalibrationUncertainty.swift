/// The uncertainty of a calibration's numbers: one standard deviation each.
///
/// Unit: pixels of the calibration's own reference size; radial terms as stated.
public struct CalibrationUncertainty: Hashable, Sendable {
  /// Sigma of the focal lengths along columns and rows, in pixels; `nil` when not known.
  public var focalLengthPixels: SIMD2<Double>?
  /// Sigma of the principal point, in pixels; `nil` when not known.
  public var principalPointPixels: SIMD2<Double>?
  /// Sigma of the polynomial's radial terms `k1`, `k2`, …, without unit; `nil` when not known.
  public var radialTerms: [Double]?
  /// How far pixels can be off over the image, and where corners were seen; `nil` when not known.
  public var projection: ProjectionUncertainty?
  /// Where the numbers come from, in words, such as `covariance of 23 views, scaled by residuals`.
  public var basis: String

  /// Creates an uncertainty from its parts.
  public init(
    focalLengthPixels: SIMD2<Double>? = nil, principalPointPixels: SIMD2<Double>? = nil,
    radialTerms: [Double]? = nil, projection: ProjectionUncertainty? = nil, basis: String
  ) {
    self.focalLengthPixels = focalLengthPixels
    self.principalPointPixels = principalPointPixels
    self.radialTerms = radialTerms
    self.projection = projection
    self.basis = basis
  }

  /// The same for the image resampled to another size: lengths in pixels follow the scale.
  ///
  /// - Precondition: Neither size is empty.
  public func scaled(from size: RasterSize, to target: RasterSize) -> CalibrationUncertainty {
    let scale = target.scale(from: size)
    var copy = self
    copy.focalLengthPixels = focalLengthPixels.map { $0 * scale }
    copy.principalPointPixels = principalPointPixels.map { $0 * scale }
    return copy
  }
}
