/// How well a cost curve places its minimum: σ of a pixel disparity is
/// 0.023 + 0.05 · (least + ½) / rise pixels.
///
/// `least` is what the best disparity costs on all paths, `rise` how much more its dearer neighbor
/// does: a curve that is deep and steep is sure. A curve without rise says nothing; its σ is that
/// of any of the disparities that were tried.
/// - Source: this project's choice, from the 68 % quantiles of the errors of smoothed disparities
///   on synthetic pairs with noise of 1 and 2 gray levels, where it is tested. At a noise of 4 it
///   held 57 % of the errors: there it is too small. See Documentation/stereo.md.
enum MatchingSigma {
  static let offsetPixels: Float = 0.023
  static let scalePixels: Float = 0.05
  static let floor: Float = 0.5
}
