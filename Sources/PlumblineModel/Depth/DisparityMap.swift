/// Disparity: the reciprocal of depth, in 1/m; what Apple's dual cameras and photos store.
///
/// Frame: the pixels of the map's own image. Missing is NaN.
public struct DisparityMap: Sendable {
  /// Reciprocal meters; NaN where not measured.
  public var inverseMeters: Raster<Float>

  /// Wraps disparities; values that are not finite and above 0 become missing, O(*n*).
  public init(inverseMeters: Raster<Float>) {
    self.inverseMeters = inverseMeters.map { $0 > 0 && $0 < .infinity ? $0 : DepthMap.missing }
  }

  /// Wraps disparities that are known to be NaN or finite and above 0.
  init(trusted inverseMeters: Raster<Float>) { self.inverseMeters = inverseMeters }

  /// The number of columns and rows.
  public var size: RasterSize { inverseMeters.size }

  /// The map as depth: `z = 1/d`, NaN where `d` is missing; O(*n*).
  ///
  /// - Source: Apple, *AVDepthData*; the law for missing values is this project's, see
  ///   `Documentation/conventions.md`.
  public var depthMap: DepthMap { DepthMap(trusted: DepthConversion.reciprocal(inverseMeters)) }
}
