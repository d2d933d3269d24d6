package import PlumblineNumerics

/// How well residuals determine the six directions in which a pose can move.
///
/// Rotations are taken about the centroid of the points and multiplied by their radius, so that all six are
/// lengths by which points move, and the values are in 1/m² of such a motion.
/// - Source: J. Zhang, M. Kaess, S. Singh, *On degeneracy of optimization-based state estimation problems*,
///   ICRA 2016; the scaling by the radius is that of X-ICP, T. Tuna et al., IEEE T-RO 2024.
package struct PoseDirections: Sendable {
  /// The information along each direction, ascending.
  package let information: [Double]
  /// Each direction as rotation (rad) and translation (m) at the origin of B, for one meter of motion.
  package let motions: [[Double]]
  /// How many of the first directions are weak: below the share of the strongest.
  package let weakCount: Int
}

/// The step that lowers the cost of a pose, with its covariance.
package struct PoseSolution: Sendable {
  /// A rotation vector in the axes of B, in radians.
  package let rotation: SIMD3<Double>
  /// In the axes of B, in meters.
  package let translation: SIMD3<Double>
  /// By how much the quadratic model lowers half the sum of squares.
  package let predictedDecrease: Double
  /// Of rotation, then translation, in the axes of B; along weak directions that of the prior.
  package let covariance: SymmetricMatrix
  /// The directions with their information, before the prior.
  package let directions: PoseDirections

  /// The variance along a direction that nothing determines, in m²: a kilometer squared.
  package static let unboundedVariance = 1e6

  /// The same covariance and directions at a pose that stays.
  var withoutStep: PoseSolution {
    PoseSolution(
      rotation: .zero, translation: .zero, predictedDecrease: 0, covariance: covariance,
      directions: directions)
  }
}

extension PoseNormalEquations {
  /// The six directions of a pose, the least determined first.
  ///
  /// - Parameter weakShare: A direction is weak below this share of the strongest information.
  /// - Returns: `nil` without residuals or where a sum is not finite.
  package func directions(weakShare: Double) -> PoseDirections? {
    let full = information
    let radius = radiusMeters
    guard count > 0, full.values.allSatisfy(\.isFinite) else { return nil }
    let length = radius > 0 ? radius : 1
    let center = centroidInB
    // (rotation, translation at the origin) of a motion (radius × rotation, translation at the centroid).
    let basis: [[Double]] = (0..<6).map { index in
      var unit = SIMD3<Double>.zero
      unit[index % 3] = index < 3 ? 1 / length : 1
      let moved = index < 3 ? cross(center, unit) : unit
      let turn = index < 3 ? unit : .zero
      return [turn.x, turn.y, turn.z, moved.x, moved.y, moved.z]
    }
    var scaled = SymmetricMatrix(count: 6)
    for row in 0..<6 {
      let product = full * basis[row]
      for column in 0...row {
        let entry = dot(product, basis[column])
        scaled[row, column] = entry
        scaled[column, row] = entry
      }
    }
    let eigen = scaled.eigen
    let limit = (eigen.values.last ?? 0) * weakShare
    return PoseDirections(
      information: eigen.values.map { max(0, $0) },
      motions: eigen.vectors.map { vector in
        (0..<6).map { row in (0..<6).reduce(0) { $0 + basis[$1][row] * vector[$1] } }
      },
      weakCount: eigen.values.prefix { !($0 > limit) }.count)
  }

  /// Solves for the step, keeping the prior along directions that the residuals hardly determine.
  ///
  /// The residuals are left out along the weak directions: there the step goes to the prior, and without one
  /// it is 0. Everything is computed in the scaled directions, so that no unit decides what is singular.
  ///
  /// - Parameters:
  ///   - share: Multiplies the residuals' information against the prior: independent residuals over all.
  ///   - prior: At the same pose.
  ///   - weakShare: A direction is weak below this share of the strongest information.
  ///   - damping: The factor of the diagonal of a Levenberg–Marquardt step; 0 for Gauss–Newton.
  /// - Returns: `nil` without residuals or where a sum is not finite.
  package func solve(
    share: Double = 1, prior: PriorEquations? = nil, weakShare: Double = 0.001, damping: Double = 0
  ) -> PoseSolution? {
    guard let directions = directions(weakShare: weakShare) else { return nil }
    let motions = directions.motions
    var matrix = SymmetricMatrix(count: 6)
    var slope = [Double](repeating: 0, count: 6)
    for index in 0..<6 {
      let known = index >= directions.weakCount
      if known {
        matrix[index, index] = directions.information[index] * share
        slope[index] = dot(gradient, motions[index]) * share
      }
      if let prior {
        slope[index] += dot(prior.gradient, motions[index])
        let product = prior.information * motions[index]
        for other in 0..<6 { matrix[index, other] += dot(product, motions[other]) }
      } else if !known {
        matrix[index, index] = 1 / PoseSolution.unboundedVariance
      }
    }
    guard let inverse = matrix.cholesky?.inverse,
      let factor = damping > 0 ? matrix.damped(by: damping).cholesky : matrix.cholesky
    else { return nil }
    let step = factor.solve(slope).map { -$0 }
    let model = matrix * step
    let twist = (0..<6).map { row in (0..<6).reduce(0) { $0 + motions[$1][row] * step[$1] } }
    return PoseSolution(
      rotation: SIMD3(twist[0], twist[1], twist[2]),
      translation: SIMD3(twist[3], twist[4], twist[5]),
      predictedDecrease: -dot(slope, step) - dot(model, step) / 2,
      covariance: covariance(of: inverse, along: motions), directions: directions)
  }

  /// `M·C·Mᵀ` with the columns `motions`.
  private func covariance(of inner: SymmetricMatrix, along motions: [[Double]])
    -> SymmetricMatrix
  {
    var result = SymmetricMatrix(count: 6)
    for row in 0..<6 {
      let product = inner * (0..<6).map { motions[$0][row] }
      for column in 0...row {
        let entry = (0..<6).reduce(0) { $0 + product[$1] * motions[$1][column] }
        result[row, column] = entry
        result[column, row] = entry
      }
    }
    return result
  }
}

/// The scalar product.
private func dot(_ a: [Double], _ b: [Double]) -> Double {
  zip(a, b).reduce(0) { $0 + $1.0 * $1.1 }
}
