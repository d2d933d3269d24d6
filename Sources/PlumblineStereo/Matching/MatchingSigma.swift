/// The σ of a pixel disparity, in pixels, from what matching and smoothing saw around it.
///
/// q is the mean of (least + ½) / rise nearby: `least` is what the best disparity costs on all
/// paths, `rise` how much more its dearer neighbor does, so that curves that are deep and steep
/// are sure.
///
/// Without smoothing σ is 0.044 + 0.65 · q. With ``SurfaceSmoothing``,
/// σ² = 0.05² + (0.4·q)²·h + (0.3·(1 − n))² + (0.55·m)² + (0.4·s)²:
/// h is what the far plane's fit leaves of one pixel's own variance and n the share of its
/// neighbors that are on the pixel's surface, s what the far plane moves the near one's value and
/// m the root mean square of that nearby. ``FacingSurfaces`` adds what its own change leaves.
/// - Source: this project's choice, for 68 % of the errors on real pairs with truth; decision 0027
///   and Documentation/stereo.md say on which, and what clean simulated ones give.
package enum MatchingSigma {
  static let offsetPixels: Float = 0.044
  static let scalePixels: Float = 0.65
  /// What is added to the least cost: half its unit.
  static let floor: Float = 0.5
  /// The most that q may be: beyond 6 pixels of σ a curve says no more.
  static let mostRatio: Float = 10

  /// What no neighborhood shows, in pixels: what rectification left, and how images were made.
  ///
  /// On real pairs the medians of the errors are 0.05 to 0.09 px, whichever matcher.
  package static let leastPixels: Float = 0.05
  /// σ per q before smoothing takes its share of the variance.
  package static let curvePixels: Float = 0.4
  /// σ per root mean square of what the far plane moves the near ones around the pixel: surfaces
  /// that curve, lean in steps, or are too weak in texture to be matched.
  package static let curvatureShare: Float = 0.55
  /// σ per what the far plane moves the pixel itself.
  package static let ownShare: Float = 0.4
  /// σ where no neighbor is on the pixel's own surface, in pixels: foregrounds grow over their
  /// edges.
  package static let edgePixels: Float = 0.3

  /// Without smoothing.
  static func unsmoothed(ratio: Float) -> Float { offsetPixels + scalePixels * ratio }
}
