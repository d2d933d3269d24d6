package import PlumblineNumerics

/// How the depths of a recording are scaled against its path: the curve `b(z)` that makes frames agree.
///
/// `b` turns a measured depth into the depth in the unit of the path. Its part proportional to z cannot be
/// told from a wrong length of the path: only a known length in view can say which of the two is wrong. Its
/// bend cannot come from the path's scale; a path that only goes forward still confuses it with errors of single
/// motions.
package struct DepthScale: Sendable {
  /// The depths at which the curve is stated, in meters, ascending.
  package var knotsMeters: [Double]
  /// The factor `b(z)/z` at each knot, straight between them.
  package var factors: [Double]
  /// The covariance of the factors, from how much the pairs of frames differ.
  package var covariance: SymmetricMatrix

  /// The corrected depth of a measured one; beyond the knots the nearest factor counts.
  package func correctedMeters(_ depth: Double) -> Double {
    let (low, share) = Self.place(depth, knotsMeters)
    return depth * (factors[low] * (1 - share) + (share > 0 ? factors[low + 1] * share : 0))
  }

  /// The factor that all knots share and one standard deviation of it: scale of depth or of path, undecided.
  ///
  /// The mean of the knots by the inverses of their variances, with the knots' covariances in its ±; the mean of least
  /// variance would leave the range of the knots where these are known much better together than alone.
  package var commonFactor: (value: Double, sigma: Double)? {
    let weights = factors.indices.map { covariance[$0, $0] > 0 ? 1 / covariance[$0, $0] : 0 }
    let sum = weights.reduce(0, +)
    guard sum > 0 else { return nil }
    let variance = zip(weights, covariance * weights).reduce(0) { $0 + $1.0 * $1.1 } / (sum * sum)
    return (
      zip(weights, factors).reduce(0) { $0 + $1.0 * $1.1 } / sum, max(0, variance).squareRoot()
    )
  }

  /// The knot below a depth and the share of the next one.
  static func place(_ depth: Double, _ knots: [Double]) -> (low: Int, share: Double) {
    guard let above = knots.firstIndex(where: { $0 > depth }) else { return (knots.count - 1, 0) }
    guard above > 0 else { return (0, 0) }
    return (above - 1, (depth - knots[above - 1]) / (knots[above] - knots[above - 1]))
  }
}
