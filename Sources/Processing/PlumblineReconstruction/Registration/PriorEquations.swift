package import PlumblineModel
package import PlumblineNumerics

/// What is known of a pose before its residuals, as a quadratic cost at the current estimate.
package struct PriorEquations: Sendable {
  /// The inverse of the prior's covariance, in the axes of B at the current estimate.
  package let information: SymmetricMatrix
  /// The gradient of `½‖error‖²` by a small motion in the axes of B.
  package let gradient: [Double]
  /// `‖error‖²` in units of its covariance.
  package let cost: Double

  /// The quadratic cost of the distance of a pose from what is known beforehand.
  ///
  /// The error is `(rotation vector, translation)` of `prior⁻¹ · aFromB`. Its derivative by a motion in the
  /// axes of B is the inverse right Jacobian of the rotations and the rotation itself.
  /// - Source: J. Solà, *A micro Lie theory*, arXiv 1812.01537, equation 144.
  ///
  /// - Parameters:
  ///   - prior: The pose known beforehand with its covariance.
  ///   - aFromB: The current estimate.
  /// - Returns: `nil` where the covariance is not positive definite.
  package static func cost(of prior: PoseEstimate, at aFromB: RigidTransform) -> PriorEquations? {
    guard let inverse = prior.covariance.cholesky?.inverse else { return nil }
    let difference = prior.aFromB.inverse * aFromB
    let turn = difference.rotation.axisAngle
    let error = [turn.x, turn.y, turn.z] + (0..<3).map { difference.translation[$0] }
    let derivative = derivative(turn: turn, rotation: difference.rotation)
    let weighted = inverse * error
    var information = SymmetricMatrix(count: 6)
    var gradient = [Double](repeating: 0, count: 6)
    for row in 0..<6 {
      let column = (0..<6).map { derivative[$0 * 6 + row] }
      gradient[row] = zip(column, weighted).reduce(0) { $0 + $1.0 * $1.1 }
      let product = inverse * column
      for other in 0...row {
        let entry = (0..<6).reduce(0) { $0 + product[$1] * derivative[$1 * 6 + other] }
        information[row, other] = entry
        information[other, row] = entry
      }
    }
    let cost = zip(error, weighted).reduce(0) { $0 + $1.0 * $1.1 }
    return PriorEquations(information: information, gradient: gradient, cost: cost)
  }

  /// Six by six, row after row.
  private static func derivative(turn: SIMD3<Double>, rotation: Rotation) -> [Double] {
    let square = (turn * turn).sum()
    let angle = square.squareRoot()
    // 1/θ² − cot(θ/2)/(2θ); below 1e-3 its series, whose next term is θ⁴/30240.
    let half = Rotation(axisAngle: [angle / 2, 0, 0]) ?? .identity
    let factor =
      angle < 1e-3
      ? 1.0 / 12 + square / 720
      : 1 / square - half.y.y / (2 * angle * half.y.z)
    let axes: [SIMD3<Double>] = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    var matrix = [Double](repeating: 0, count: 36)
    for column in 0..<3 {
      let once = cross(turn, axes[column])
      let turned = axes[column] + once / 2 + cross(turn, once) * factor
      let moved = rotation * axes[column]
      for row in 0..<3 {
        matrix[row * 6 + column] = turned[row]
        matrix[(row + 3) * 6 + column + 3] = moved[row]
      }
    }
    return matrix
  }
}
