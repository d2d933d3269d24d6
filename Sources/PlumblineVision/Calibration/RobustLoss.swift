/// The weight of a corner by its residual.
public enum RobustLoss: Hashable, Sendable {
  /// Plain least squares: every corner counts alike, however far off, and none is rejected.
  case squared
  /// Huber's loss: squares within the circle that holds 95 % of normal errors, linear outside, and
  /// nothing beyond 5 standard deviations of a coordinate.
  ///
  /// - Source: P. J. Huber, *Robust Estimation of a Location Parameter*, Annals of Mathematical
  ///   Statistics 35 (1964) 73–101; the radius is √5.9915, the 95 % quantile of χ² in the plane.
  case huber

  static let huberWidth = 2.4477

  /// The distance in standard deviations of one coordinate beyond which a corner is rejected.
  ///
  /// A normal error of two coordinates exceeds it with a probability of exp(−5²/2) = 4e-6.
  static let rejectionWidth = 5.0

  /// The weight of a corner off by `distance` where one coordinate's deviation is `scale`.
  func weight(distance: Double, scale: Double) -> Double {
    switch self {
    case .squared: return 1
    case .huber:
      if distance > Self.rejectionWidth * scale { return 0 }
      return Self.huberWeight(distance: distance, scale: scale)
    }
  }

  /// Huber's weight without a limit.
  static func huberWeight(distance: Double, scale: Double) -> Double {
    let width = huberWidth * scale
    return distance > width ? width / distance : 1
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
