/// How much a corner counts by how far it is off.
public enum RobustLoss: Hashable, Sendable {
  /// Plain least squares: every corner counts alike, however far off, and none is rejected.
  case squared
  /// Cauchy's loss, which falls off for corners farther away than 2.3849 standard deviations.
  ///
  /// - Source: P. Holland and R. Welsch, *Robust regression using iteratively reweighted
  ///   least-squares*, Communications in Statistics A6 (1977): 95 % efficiency on normal errors.
  case cauchy

  static let cauchyWidth = 2.3849

  /// The distance in standard deviations of one coordinate beyond which a corner is rejected.
  ///
  /// A normal error of two coordinates exceeds it with a probability of exp(−5²/2) = 4e-6.
  static let rejectionWidth = 5.0

  /// The weight of a corner off by `distance` where one coordinate's deviation is `scale`.
  func weight(distance: Double, scale: Double) -> Double {
    switch self {
    case .squared: return 1
    case .cauchy:
      guard scale > 0 else { return distance > 0 ? 0 : 1 }
      if distance > Self.rejectionWidth * scale { return 0 }
      let ratio = distance / (Self.cauchyWidth * scale)
      return 1 / (1 + ratio * ratio)
    }
  }

  /// The spread of one coordinate, in the unit of the residuals.
  ///
  /// - Source: the median absolute deviation; 0.6745 is that of the standard normal distribution,
  ///   P. Rousseeuw and C. Croux, JASA 88 (1993) 1273–1283.
  static func scale(of residuals: [SIMD2<Double>]) -> Double {
    var sizes: [Double] = []
    sizes.reserveCapacity(2 * residuals.count)
    for residual in residuals {
      sizes.append(abs(residual.x))
      sizes.append(abs(residual.y))
    }
    guard !sizes.isEmpty else { return 0 }
    sizes.sort()
    let middle = sizes.count / 2
    return (sizes[middle - 1] + sizes[middle]) / 2 / 0.6745
  }
}
