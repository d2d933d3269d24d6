/// The σ of a pixel disparity, in pixels, from what matching and smoothing saw around it.
///
/// Without smoothing it is 0.044 + 0.65 · q, with q the mean of (least + ½) / rise nearby: `least` is what
/// the best disparity costs on all paths, `rise` how much more its dearer neighbor does, so that curves
/// that are deep and steep are sure. With smoothing σ² is a sum of five terms; see ``smoothed``.
/// - Source: this project's choice, from the 68 % quantiles of the errors on scenes with truth; see
///   Documentation/stereo.md and decision 0027.
package enum MatchingSigma {
  static let offsetPixels: Float = 0.044
  static let scalePixels: Float = 0.65
  /// What is added to the least cost: half its unit.
  static let floor: Float = 0.5
  /// The most that q may be: beyond 6 pixels of σ a curve says no more.
  static let mostRatio: Float = 10

  /// What no neighborhood shows, in pixels: places where both planes agree and the curves are steep.
  package static let leastPixels: Float = 0.05
  /// σ per q before smoothing takes its share of the variance.
  package static let curvePixels: Float = 0.4
  /// σ per root mean square of what the far plane moves the near ones around the pixel.
  package static let curvatureShare: Float = 0.55
  /// σ per what the far plane moves the pixel itself.
  package static let ownShare: Float = 0.4
  /// σ where no neighbor is on the pixel's own surface.
  package static let edgePixels: Float = 0.3

  /// Without smoothing.
  static func unsmoothed(ratio: Float) -> Float { offsetPixels + scalePixels * ratio }
}
