/// The ± of a fit to few positions: that of a prediction by least squares.
///
/// In the space of the line every position errs by one unknown σ, times what the model's error is
/// multiplied with there. Its estimate has as many degrees of freedom as places exceed unknowns.
struct FewPlaces {
  private let kind: FitKind
  private let line: RobustLine
  /// σ of the model's error with Student's factor; NaN without a degree of freedom.
  private let model: Double
  /// The inverse of the normal equations, whose product with σ² is the line's covariance.
  private let inverse: (scale: Double, both: Double, shift: Double)

  init(_ samples: [RobustLine.Sample], _ line: RobustLine, _ kind: FitKind) {
    self.kind = kind
    self.line = line
    var (xx, x1, one, squares) = (0.0, 0.0, 0.0, 0.0)
    for sample in samples {
      let weight = 1 / (sample.modelShare * sample.modelShare)
      let residual = line.scale * sample.x + line.shift - sample.target
      xx += weight * sample.x * sample.x
      x1 += weight * sample.x
      one += weight
      squares += weight * residual * residual
    }
    let hasShift = kind.shape == .scaleAndShift
    let freedom = samples.count - (hasShift ? 2 : 1)
    model =
      freedom < 1
      ? .nan : (squares / Double(freedom)).squareRoot() * Self.studentFactor(freedom)
    let determinant = xx * one - x1 * x1
    inverse =
      hasShift
      ? (one / determinant, -x1 / determinant, xx / determinant) : (1 / xx, 0, 0)
  }

  /// How much wider a ± of a small sample must be: half of what Student's distribution has at the
  /// 97.7 % of two standard deviations.
  ///
  /// It is above what one standard deviation needs, since one number has to serve for both.
  /// - Source: tabulated for 1 to 3; else the expansion of Abramowitz and Stegun, 26.7.5, at 2.
  static func studentFactor(_ freedom: Int) -> Double {
    let tabulated = [6.984, 2.264, 1.653]
    if freedom <= tabulated.count { return tabulated[max(freedom, 1) - 1] }
    let n = Double(freedom)
    return 1 + 1.25 / n + 1.531 / (n * n) + 1.430 / (n * n * n)
  }

  /// One standard deviation of a fitted depth, in meters.
  func sigma(atDepth depth: Double) -> Double {
    let isDepth = kind.space == .depth
    let target = isDepth ? depth : 1 / depth
    let x = (target - line.shift) / line.scale
    let share = isDepth ? depth : 1
    let variance = inverse.scale * x * x + 2 * inverse.both * x + inverse.shift
    let sigma = model * (share * share + max(variance, 0)).squareRoot()
    return isDepth ? sigma : sigma * depth * depth
  }
}
