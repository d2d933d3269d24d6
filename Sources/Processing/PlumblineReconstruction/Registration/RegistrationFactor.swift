/// What the distance of two paired points is.
///
/// Each factor gives residuals of the form `directionᵀ(T·p − q)`, in meters but for intensity.
package enum RegistrationFactor: Hashable, Sendable {
  /// All three coordinates.
  ///
  /// - Source: P. J. Besl and N. D. McKay, IEEE PAMI 14 (1992) 239.
  case pointToPoint
  /// Along the target's normal.
  ///
  /// - Source: Y. Chen and G. Medioni, Image and Vision Computing 10 (1992) 145.
  case pointToPlane
  /// Along the mean of both normals.
  ///
  /// - Source: S. Rusinkiewicz, *A symmetric objective function for ICP*, ACM TOG 38 (2019) 85, equation 4;
  ///   here half of the sum, so that it is a length, and with its exact derivative.
  case symmetric
  /// Along the target's normal, and the difference of intensities along the surface with its ±.
  ///
  /// - Source: J. Park, Q.-Y. Zhou, V. Koltun, ICCV 2017, equations 8 and 9; its λ is the ratio of both ±.
  case colored(intensitySigma: Double)
  /// Plane to plane: along the normals as ``pointToPlane``, across them with the given share of its weight.
  ///
  /// - Source: A. Segal, D. Haehnel, S. Thrun, *Generalized-ICP*, RSS 2009, section III; its ε is 0.001.
  case generalized(share: Double)

  /// Whether the source must have normals.
  var usesSourceNormals: Bool {
    switch self {
    case .symmetric, .generalized: true
    default: false
    }
  }

  /// Whether the target must have normals.
  var usesTargetNormals: Bool { self != .pointToPoint }
}

/// Two points that are taken for the same.
struct PointPair {
  /// The source's point in its own frame, in meters.
  var point: SIMD3<Double>
  /// The source's point in the target's frame less the target's.
  var difference: SIMD3<Double>
  /// The source's normal in its own frame, and in the target's.
  var sourceNormal = SIMD3<Double>.zero
  var turnedNormal = SIMD3<Double>.zero
  /// The target's normal.
  var normal = SIMD3<Double>.zero
  /// The variance of the residual along the normals, in m².
  var variance: Double
  /// The target's intensity less the source's, and how it changes along the surface.
  var intensityDifference = 0.0
  var intensityGradient = SIMD3<Double>.zero
}

/// One scalar residual of a pair.
struct FactorRow {
  /// The direction in the target's axes.
  var direction: SIMD3<Double>
  var residual: Double
  /// 1/σ².
  var weight: Double
}

/// The residuals of a pair: up to three.
struct FactorRows {
  var first: FactorRow
  var second: FactorRow?
  var third: FactorRow?
  /// Added to the derivative of the first by the rotation, in the source's axes.
  var turn = SIMD3<Double>.zero
  /// Whether all rows are parts of one distance, which is an outlier or not as a whole.
  var isOneDistance = false
}

extension RegistrationFactor {
  /// The residuals of a pair; `back` turns from the target's axes to the source's.
  @inline(__always)
  func rows(of pair: PointPair, back: (SIMD3<Double>) -> SIMD3<Double>) -> FactorRows {
    let weight = 1 / pair.variance
    func row(_ direction: SIMD3<Double>, _ weight: Double) -> FactorRow {
      FactorRow(
        direction: direction, residual: (direction * pair.difference).sum(), weight: weight)
    }
    switch self {
    case .pointToPlane:
      return FactorRows(first: row(pair.normal, weight))
    case .pointToPoint:
      return FactorRows(
        first: row([1, 0, 0], weight), second: row([0, 1, 0], weight),
        third: row([0, 0, 1], weight), isOneDistance: true)
    case .symmetric:
      // Normals have no agreed side: both to the target's.
      let sign = (pair.normal * pair.turnedNormal).sum() < 0 ? -0.5 : 0.5
      return FactorRows(
        first: row(pair.normal * 0.5 + pair.turnedNormal * sign, weight),
        turn: cross(pair.sourceNormal * sign, back(pair.difference)))
    case .colored(let sigma):
      let gradient = pair.intensityGradient
      let change = (gradient * pair.difference).sum() + pair.intensityDifference
      return FactorRows(
        first: row(pair.normal, weight),
        second: FactorRow(direction: gradient, residual: change, weight: 1 / (sigma * sigma)))
    case .generalized(let share):
      return Self.planeToPlane(pair, share: share, weight: weight, row)
    }
  }

  /// The inverse of `2 − (1 − ε)(n·nᵀ + m·mᵀ)`, whose eigenvectors are the sum, the difference and the cross
  /// product of both normals; times 2ε, so that the weight along equal normals is 1/σ².
  @inline(__always)
  private static func planeToPlane(
    _ pair: PointPair, share: Double, weight: Double,
    _ row: (SIMD3<Double>, Double) -> FactorRow
  ) -> FactorRows {
    let product = (pair.normal * pair.turnedNormal).sum()
    let other = product < 0 ? -pair.turnedNormal : pair.turnedNormal
    let (sum, difference) = (pair.normal + other, pair.normal - other)
    let cosine = abs(product)
    let first = sum / (sum * sum).sum().squareRoot()
    let length = (difference * difference).sum().squareRoot()
    // Below the rounding of normals in single precision the difference has no direction.
    let second = length > 1e-6 ? difference / length : perpendicular(to: first)
    let third = cross(first, second)
    let scale = 2 * share * weight
    return FactorRows(
      first: row(first, scale / (2 - (1 - share) * (1 + cosine))),
      second: row(second, scale / (2 - (1 - share) * (1 - cosine))),
      third: row(third, scale / 2), isOneDistance: true)
  }
}
