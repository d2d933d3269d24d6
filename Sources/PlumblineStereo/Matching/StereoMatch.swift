public import PlumblineModel

/// What semi-global matching found: pixel disparities, how sure each is, and what was refused.
public struct StereoMatch: Sendable {
  /// Pixel disparities in the left image; NaN where nothing was accepted.
  public var disparity: PixelDisparityMap
  /// The σ of each pixel disparity in pixels, from the curve of its cost; NaN where missing.
  public var sigmaPixels: Raster<Float>
  /// The number of pixels that each check removed.
  public var removed: Removals

  /// How many pixels of the left image have no disparity, and which check was the first to say so.
  public struct Removals: Sendable, Hashable {
    /// Pixels that rectification left empty, or whose best match lies outside of the right image
    /// or where that is empty.
    public var uncovered = 0
    /// Pixels of which another disparity, not next to the best, costs hardly more.
    public var ambiguous = 0
    /// Pixels whose match in the right image prefers another disparity: mostly those that only the
    /// left image sees.
    public var inconsistent = 0
    /// Pixels of small patches with a disparity of their own.
    public var speckles = 0

    /// Nothing was removed.
    public init() {}

    /// All of them.
    public var total: Int { uncovered + ambiguous + inconsistent + speckles }
  }

  /// Joins the parts of a result.
  ///
  /// - Precondition: Both rasters have one size.
  public init(disparity: PixelDisparityMap, sigmaPixels: Raster<Float>, removed: Removals) {
    precondition(disparity.size == sigmaPixels.size, "a match has one size")
    self.disparity = disparity
    self.sigmaPixels = sigmaPixels
    self.removed = removed
  }
}
