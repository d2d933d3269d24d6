/// Depth: the distance of each pixel's surface along the optical axis, in meters.
///
/// Frame: the pixels of the map's own image. Missing is NaN and nothing else; every initializer
/// turns what its source uses for "not measured" into NaN. Depth is not the length of the ray;
/// that is ``RangeMap``.
public struct DepthMap: Sendable {
  /// The value of a pixel that was not measured.
  public static let missing = Float.nan

  /// Meters along the optical axis; NaN where not measured.
  public var meters: Raster<Float>

  /// Wraps meters; values that are not finite and above 0 become missing, O(*n*).
  public init(meters: Raster<Float>) {
    self.meters = meters.map { $0 > 0 && $0 < .infinity ? $0 : DepthMap.missing }
  }

  /// Converts whole millimeters as 16-bit PNG files hold them; 0 means not measured, O(*n*).
  public init(millimeters: Raster<UInt16>) {
    meters = millimeters.map { $0 == 0 ? DepthMap.missing : Float($0) / 1000 }
  }

  /// Wraps meters that are known to be NaN or finite and above 0.
  init(trusted meters: Raster<Float>) { self.meters = meters }

  /// The number of columns and rows.
  public var size: RasterSize { meters.size }

  /// The map as disparity: 1/z where measured, NaN elsewhere; O(*n*).
  ///
  /// - Source: Apple, *AVDepthData*: disparity is normalized to 1/m, so no focal length or
  ///   baseline takes part.
  public var disparityMap: DisparityMap {
    DisparityMap(trusted: DepthConversion.reciprocal(meters))
  }
}
