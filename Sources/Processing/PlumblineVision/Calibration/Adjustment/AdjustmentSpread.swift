import PlumblineModel
import PlumblineNumerics

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// How far the camera's numbers can be off: by leaving out blocks of neighboring views, and by the
/// corners' own noise.
///
/// Neighboring frames of a hand-held sequence share pose, blur and light, so that views are not
/// independent; blocks of them nearly are. The shape of the board is among the unknowns that move
/// when a block is left out.
/// - Source: H. R. Künsch, *The jackknife and the bootstrap for general stationary observations*,
///   Annals of Statistics 17 (1989); few blocks and t: R. Ibragimov, U. K. Müller, *t-statistic
///   based correlation and heterogeneity robust inference*, JBES 28 (2010).
struct AdjustmentSpread: Hashable, Sendable {
  /// The number of blocks; contiguous in time.
  static let blockCount = 5

  /// The change of the camera's numbers when a block is left out, block by block, without the mean.
  var moves: [[Double]]
  /// The covariance of the camera's numbers if corners were independent: rows in their order.
  var formal: SymmetricMatrix

  /// Assesses a converged adjustment; `nil` with fewer than five views, or where a block decides a
  /// number alone.
  init?(_ adjustment: BoardAdjustment) {
    let views = adjustment.views.count
    guard views >= Self.blockCount, let whole = adjustment.wholeEquations() else { return nil }
    let camera = adjustment.free.count
    var moves: [[Double]] = []
    for block in 0..<Self.blockCount {
      let range = block * views / Self.blockCount..<(block + 1) * views / Self.blockCount
      guard let part = adjustment.equations(of: range) else { return nil }
      var rest = whole.matrix
      rest -= part.matrix
      guard let factor = rest.cholesky else { return nil }
      moves.append(Array(factor.solve(part.gradient.map { -$0 })[..<camera]))
    }
    for index in 0..<camera {
      let mean = moves.reduce(0) { $0 + $1[index] } / Double(Self.blockCount)
      for block in moves.indices { moves[block][index] -= mean }
    }
    self.moves = moves
    guard let factor = whole.matrix.cholesky else { return nil }
    var weighted = 0.0
    for (view, residuals) in zip(adjustment.views, adjustment.residuals) {
      for (weight, residual) in zip(view.weights, residuals) {
        weighted += weight * (residual * residual).sum()
      }
    }
    let freedom = max(1, 2 * adjustment.cornerCount - adjustment.unknownCount)
    var formal = SymmetricMatrix(count: camera)
    for row in 0..<camera {
      var unit = [Double](repeating: 0, count: whole.matrix.count)
      unit[row] = 1
      let solution = factor.solve(unit)
      for column in 0..<camera { formal[row, column] = solution[column] }
    }
    self.formal = formal.scaled(by: weighted / Double(freedom))
  }

  /// The ± of a linear function of the camera's numbers: `σ² = J² + (2F)² + floor²`, J by blocks, F
  /// formal.
  ///
  /// Twice F and the floor cover blocks that agree by chance. `slope` is the function's derivative by
  /// each number, `floor` is in the function's unit.
  /// - Source: `Documentation/decisions/0028-the-sigma-of-a-calibration.md`.
  func sigma(along slope: [Double], floor: Double = 0) -> BlockSigma {
    let blocks = Double(Self.blockCount)
    var jackknife = 0.0
    for move in moves {
      let change = zip(slope, move).reduce(0) { $0 + $1.0 * $1.1 }
      jackknife += change * change
    }
    jackknife *= (blocks - 1) / blocks
    let product = formal * slope
    let formal = zip(slope, product).reduce(0) { $0 + $1.0 * $1.1 }
    return BlockSigma(
      blockVariance: jackknife, formalVariance: max(0, formal), floor: floor,
      blockCount: Self.blockCount)
  }
}

/// One standard deviation of a number with what it rests on.
package struct BlockSigma: Hashable, Sendable {
  /// One standard deviation in the number's unit.
  package var sigma: Double
  /// How many values that deviation itself rests on: a t distribution's degrees of freedom.
  ///
  /// - Source: F. E. Satterthwaite, *An Approximate Distribution of Estimates of Variance
  ///   Components*, Biometrics Bulletin 2 (1946).
  package var freedom: Double
  /// The part of it that comes from leaving out blocks; 0 where it is known from elsewhere.
  package var blockPart = 0.0
  /// The part of it that comes from the corners' own noise, once; 0 where it is known from
  /// elsewhere.
  package var formalPart = 0.0

  init(blockVariance: Double, formalVariance: Double, floor: Double, blockCount: Int) {
    let variance = blockVariance + 4 * formalVariance + floor * floor
    sigma = variance.squareRoot()
    let share = variance > 0 ? blockVariance / variance : 0
    freedom = Double(blockCount - 1) / max(share * share, 1e-6)
    blockPart = blockVariance.squareRoot()
    formalPart = formalVariance.squareRoot()
  }

  /// A ± that is known from elsewhere.
  package init(sigma: Double, freedom: Double = .infinity) {
    self.sigma = sigma
    self.freedom = freedom
  }

  /// Half of the interval that holds 68.3 % of the truths: what is printed after ±.
  package var plusMinus: Double { sigma * StudentQuantile.width(normal: 1, freedom: freedom) }

  /// Half of the interval that holds as many truths as `normal` deviations of a normal
  /// distribution.
  package func plusMinus(normal: Double) -> Double {
    sigma * StudentQuantile.width(normal: normal, freedom: freedom)
  }

  /// The same number with something independent added in squares.
  package func adding(_ other: Double) -> BlockSigma {
    let variance = sigma * sigma + other * other
    let share = variance > 0 ? sigma * sigma / variance : 1
    var sum = self
    sum.sigma = variance.squareRoot()
    sum.freedom = freedom / max(share * share, 1e-6)
    return sum
  }
}

/// Quantiles of Student's t distribution, for a ± whose size is itself an estimate of few values.
package enum StudentQuantile {
  /// How many standard deviations hold the share of values that `normal` standard deviations hold
  /// of a normal distribution, such as 1 (68.3 %) or 2 (95.4 %).
  ///
  /// - Parameters:
  ///   - normal: Standard deviations of the normal distribution, above 0.
  ///   - freedom: Degrees of freedom, above 0; need not be whole.
  /// - Returns: At least `normal`; for infinite freedom `normal` itself.
  /// - Source: inversion by bisection of the distribution's integral, the regularized incomplete
  ///   beta function; its continued fraction is that of W. H. Press et al., *Numerical Recipes*,
  ///   6.4.
  /// - Complexity: O(1), some 60 evaluations.
  package static func width(normal: Double, freedom: Double) -> Double {
    precondition(normal > 0 && freedom > 0, "a quantile of \(normal) with \(freedom) degrees")
    guard freedom < 1e6 else { return normal }
    let outside = erfc(normal / 2.0.squareRoot())
    var low = normal
    var high = normal
    while tail(high, freedom) > outside, high < 1e9 { high *= 2 }
    for _ in 0..<60 {
      let middle = (low + high) / 2
      if tail(middle, freedom) > outside { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }

  /// The probability that |t| exceeds a value.
  static func tail(_ t: Double, _ freedom: Double) -> Double {
    incompleteBeta(freedom / (freedom + t * t), freedom / 2, 0.5)
  }

  private static func logGamma(_ x: Double) -> Double {
    #if canImport(Glibc) || canImport(Musl)
      return lgamma(x)
    #else
      return Darwin.lgamma(x)
    #endif
  }

  private static func incompleteBeta(_ x: Double, _ a: Double, _ b: Double) -> Double {
    if x <= 0 { return 0 }
    if x >= 1 { return 1 }
    let front = exp(
      logGamma(a + b) - logGamma(a) - logGamma(b) + a * log(x) + b * log(1 - x))
    return x < (a + 1) / (a + b + 2)
      ? front * fraction(x, a, b) / a : 1 - front * fraction(1 - x, b, a) / b
  }

  private static func fraction(_ x: Double, _ a: Double, _ b: Double) -> Double {
    let tiny = 1e-300
    func safe(_ value: Double) -> Double { abs(value) < tiny ? tiny : value }
    var c = 1.0
    var d = 1 / safe(1 - (a + b) * x / (a + 1))
    var result = d
    for step in 1...300 {
      let m = Double(step)
      let even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
      d = 1 / safe(1 + even * d)
      c = safe(1 + even / c)
      result *= d * c
      let odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
      d = 1 / safe(1 + odd * d)
      c = safe(1 + odd / c)
      result *= d * c
      if abs(d * c - 1) < 1e-14 { break }
    }
    return result
  }
}
