import PlumblineModel
import PlumblineNumerics

/// What is known of the pose of one keyframe in the axes of another one.
package struct PoseGraphEdge: Sendable {
  /// Where an edge comes from.
  package enum Kind: Sendable {
    /// A motion that is trusted: odometry or the recorded poses of successive keyframes.
    case odometry
    /// A place seen again; it may be wrong and can be rejected.
    case loop
  }

  /// The node A of `aFromB`.
  package let a: Int
  /// The node B.
  package let b: Int
  /// The pose of B in A with its covariance.
  package let measured: PoseEstimate
  /// Where it comes from.
  package let kind: Kind
  /// The inverse of the covariance.
  let information: SymmetricMatrix

  /// Collects an edge; `nil` where the covariance has no inverse.
  ///
  /// A direction that was not observed, such as the axis of a tunnel, has a large variance, not an infinite one.
  /// - Precondition: Two different nodes, neither negative.
  package init?(a: Int, b: Int, measured: PoseEstimate, kind: Kind) {
    precondition(a != b && a >= 0 && b >= 0, "an edge from \(a) to \(b)")
    guard measured.covariance.values.allSatisfy(\.isFinite),
      let information = measured.covariance.scaledInverse
    else { return nil }
    self.a = a
    self.b = b
    self.measured = measured
    self.kind = kind
    self.information = information
  }

  /// The difference `(r, t)` of the motion between two poses from the measured one, in the axes of B.
  ///
  /// It is the error that ``PoseEstimate`` defines: `aFromB = measured · (r, t)`.
  func residual(worldFromA: RigidTransform, worldFromB: RigidTransform) -> PoseResidual {
    PoseResidual(measured.aFromB.inverse * (worldFromA.inverse * worldFromB))
  }

  /// The residual's derivatives by small motions of A and of B in their own axes, 6 × 6, row after row.
  ///
  /// - Source: Derived from `E(α, β) = Z⁻¹·α⁻¹·A⁻¹·B·β` with the right Jacobian of the rotation vector, J. Solà et
  ///   al., *A micro Lie theory for state estimation in robotics*, arXiv 1812.01537, eq. 143–144.
  func derivatives(
    worldFromA: RigidTransform, worldFromB: RigidTransform
  ) -> (byA: [Double], byB: [Double]) {
    let aFromB = worldFromA.inverse * worldFromB
    let difference = measured.aFromB.inverse * aFromB
    let bend = Self.inverseRightJacobian(difference.rotation.axisAngle)
    let back = measured.aFromB.rotation.inverse
    var byA = [Double](repeating: 0, count: 36)
    var byB = byA
    for column in 0..<3 {
      var unit = SIMD3<Double>.zero
      unit[column] = 1
      let turnedA = -(bend * (aFromB.rotation.inverse * unit))
      let turnedB = bend * unit
      // −(ρ × t) of a unit rotation ρ.
      let lever = back * cross(aFromB.translation, unit)
      let movedA = -(back * unit)
      let movedB = difference.rotation * unit
      for row in 0..<3 {
        byA[row * 6 + column] = turnedA[row]
        byB[row * 6 + column] = turnedB[row]
        byA[(row + 3) * 6 + column] = lever[row]
        byA[(row + 3) * 6 + column + 3] = movedA[row]
        byB[(row + 3) * 6 + column + 3] = movedB[row]
      }
    }
    return (byA, byB)
  }

  /// The inverse of the right Jacobian of a rotation vector, its length below π; a matrix, not a rotation.
  private static func inverseRightJacobian(_ vector: SIMD3<Double>) -> Rotation {
    let square = (vector * vector).sum()
    // Below 1e-3 rad the series is exact to 1e-10: 1/12 + θ²/720.
    let factor: Double
    if square < 1e-6 {
      factor = 1.0 / 12 + square / 720
    } else {
      let angle = square.squareRoot()
      let turn = Rotation(axisAngle: [angle / 2, 0, 0]) ?? .identity
      // (1 + cos θ) / sin θ = cos(θ/2) / sin(θ/2).
      factor = 1 / square - turn.y.y / turn.y.z / (2 * angle)
    }
    func column(_ unit: SIMD3<Double>) -> SIMD3<Double> {
      let once = cross(vector, unit)
      return unit + once / 2 + cross(vector, once) * factor
    }
    return Rotation(x: column([1, 0, 0]), y: column([0, 1, 0]), z: column([0, 0, 1]))
  }
}

/// The difference of two motions as a rotation vector in radians and a translation in meters.
struct PoseResidual: Sendable {
  /// The rotation vector, then the translation.
  let values: [Double]

  init(_ difference: RigidTransform) {
    let r = difference.rotation.axisAngle
    let t = difference.translation
    values = [r.x, r.y, r.z, t.x, t.y, t.z]
  }

  /// Its square in units of the covariance whose inverse is given.
  func square(_ information: SymmetricMatrix) -> Double {
    zip(values, information * values).reduce(0) { $0 + $1.0 * $1.1 }
  }
}

extension SymmetricMatrix {
  /// The inverse by way of the matrix with a diagonal of 1, so that units do not matter; `nil` if it has none.
  var scaledInverse: SymmetricMatrix? {
    let scale = (0..<count).map { self[$0, $0] > 0 ? 1 / self[$0, $0].squareRoot() : 0 }
    var scaled = self
    for i in 0..<count { for j in 0..<count { scaled[i, j] *= scale[i] * scale[j] } }
    guard !scale.contains(0), var inverse = scaled.cholesky?.inverse else { return nil }
    for i in 0..<count { for j in 0..<count { inverse[i, j] *= scale[i] * scale[j] } }
    return inverse
  }
}
