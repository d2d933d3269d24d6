#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Quantiles of Student's t distribution, for a ± whose size is itself an estimate of few values.
public enum StudentQuantile {
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
  public static func width(normal: Double, freedom: Double) -> Double {
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
