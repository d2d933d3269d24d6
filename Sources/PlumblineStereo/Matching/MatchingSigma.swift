/// How well a cost curve places its minimum.
enum MatchingSigma {
  /// σ of a pixel disparity: 0.023 + 0.05 · (least + 8) / rise pixels.
  ///
  /// `least` is what the best disparity costs on all paths, `rise` how much more its dearer neighbor
  /// does: a curve that is deep and steep is sure. A curve without rise says nothing; its σ is that
  /// of any of `count` disparities.
  /// - Source: this project's choice, from the 68 % quantiles of the errors of smoothed disparities
  ///   on synthetic pairs with noise of 1 and 2 gray levels, where it is tested. At a noise of 4 it
  ///   held 57 % of the errors: there it is too small. See Documentation/stereo.md.
  static func pixels(rise: Float, least: Float, count: Int) -> Float {
    guard rise > 0 else { return max(Float(count) / Float(12).squareRoot(), 0.5) }
    return min(0.023 + 0.05 * ((least + 8) / rise), Float(max(count, 2)))
  }
}
