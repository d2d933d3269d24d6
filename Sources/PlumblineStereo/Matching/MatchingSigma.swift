/// How well a cost curve places its minimum.
enum MatchingSigma {
  /// σ of a pixel disparity.
  static func pixels(
    rise: Float, least: Float, paths: StereoMatcher.Paths, count: Int
  ) -> Float {
    guard rise > 0 else { return max(Float(count) / Float(12).squareRoot(), 0.5) }
    let ratio = (least + 8) / rise
    return min(max((0.05 * 0.05 + 0.02 * ratio * ratio).squareRoot(), 0.05), Float(max(count, 2)))
  }
}
