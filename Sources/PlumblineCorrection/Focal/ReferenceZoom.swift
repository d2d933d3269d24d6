/// How much less of the scene one image shows than another one of the same camera and focal length.
///
/// ARKit states 3248 columns for color where depth has AVFoundation's 3088, with one focal length
/// in pixels of both; overlaid at one size, depth appears enlarged.
/// - Source: arXiv 2201.10865, equations 3 and 4. Its “5.2 %” is ``depthPercent``; of the color
///   image it is ``colorPercent``. The text does not say which.
public struct ReferenceZoom: Hashable, Sendable {
  /// The columns that the depth map shows.
  public var depthWidth: Double
  /// The columns that the color image shows.
  public var colorWidth: Double

  /// Creates a zoom from two reference widths, in pixels.
  ///
  /// - Precondition: Both are finite and above 0.
  public init(depthWidth: Double, colorWidth: Double) {
    precondition(
      depthWidth > 0 && depthWidth.isFinite && colorWidth > 0 && colorWidth.isFinite,
      "\(depthWidth) columns in \(colorWidth)")
    self.depthWidth = depthWidth
    self.colorWidth = colorWidth
  }

  /// Color pixels for each depth pixel, when both images have one size: 0.950739 for iPads.
  public var colorFromDepth: Double { depthWidth / colorWidth }
  /// By how much depth must shrink, in percent of itself: −4.93 for iPads.
  public var colorPercent: Double { (colorFromDepth - 1) * 100 }
  /// By how much color must grow, in percent of itself: 5.18 for iPads.
  public var depthPercent: Double { (colorWidth / depthWidth - 1) * 100 }
}
