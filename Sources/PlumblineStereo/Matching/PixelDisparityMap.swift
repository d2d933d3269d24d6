public import PlumblineModel

/// Pixel disparity: how many columns farther left a point lies in the right image of a rectified
/// pair than in the left one.
///
/// Unit: pixels of the rectified images; not ``DisparityMap``, whose unit is 1/m. Frame: the
/// pixels of the left image. Missing is NaN. Where the two principal points differ, a point at
/// infinity has a pixel disparity other than 0, and values below 0 are sound.
public struct PixelDisparityMap: Sendable {
  /// The value of a pixel that was not matched.
  public static let missing = Float.nan

  /// Pixel disparities; NaN where not matched.
  public var pixels: Raster<Float>

  /// Wraps pixel disparities; values that are not finite become missing, O(*n*).
  public init(pixels: Raster<Float>) {
    self.pixels = pixels.map { $0.isFinite ? $0 : PixelDisparityMap.missing }
  }

  /// The number of columns and rows.
  public var size: RasterSize { pixels.size }
}
