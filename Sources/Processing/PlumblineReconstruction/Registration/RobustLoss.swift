#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// How much a residual costs beyond what its noise explains; scales are in units of its σ.
///
/// - Source: Z. Zhang, *Parameter estimation techniques*, Image and Vision Computing 15 (1997) 59, table 1;
///   the usual scales there keep 95 % of the efficiency for normal noise.
package enum RobustLoss: Hashable, Sendable {
  /// Least squares.
  case none
  /// Linear beyond the scale; usual 1.345.
  case huber(Double)
  /// Constant beyond the scale; usual 4.685.
  case tukey(Double)
  /// Logarithmic beyond the scale; usual 2.385.
  case cauchy(Double)
  /// Toward a constant, the scale squared.
  case gemanMcClure(Double)

  /// The weight of a residual in iteratively reweighted least squares: the derivative of the cost by the square.
  ///
  /// - Parameter square: `r²/σ²`.
  /// - Returns: From 0 to 1.
  @inline(__always)
  package func weight(square: Double) -> Double {
    switch self {
    case .none: return 1
    case .huber(let scale):
      return square <= scale * scale ? 1 : scale / square.squareRoot()
    case .tukey(let scale):
      let rest = max(0, 1 - square / (scale * scale))
      return rest * rest
    case .cauchy(let scale): return 1 / (1 + square / (scale * scale))
    case .gemanMcClure(let scale):
      let share = 1 / (1 + square / (scale * scale))
      return share * share
    }
  }

  /// The cost of a residual: its square for small ones.
  ///
  /// - Parameter square: `r²/σ²`.
  /// - Returns: At most the square.
  @inline(__always)
  package func cost(square: Double) -> Double {
    switch self {
    case .none: return square
    case .huber(let scale):
      return square <= scale * scale ? square : 2 * scale * square.squareRoot() - scale * scale
    case .tukey(let scale):
      let rest = max(0, 1 - square / (scale * scale))
      return scale * scale / 3 * (1 - rest * rest * rest)
    case .cauchy(let scale): return scale * scale * log1p(square / (scale * scale))
    case .gemanMcClure(let scale): return square / (1 + square / (scale * scale))
    }
  }
}
