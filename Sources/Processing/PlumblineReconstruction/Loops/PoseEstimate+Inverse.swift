internal import PlumblineModel
internal import PlumblineNumerics

extension PoseEstimate {
  /// `bFromA` with its covariance in the axes of A.
  ///
  /// `(T·e)⁻¹ = (T·e⁻¹·T⁻¹)·T⁻¹`, so that the error is carried over by the adjoint of `T`.
  package var inverse: PoseEstimate {
    let r = aFromB.rotation
    let t = aFromB.translation
    var adjoint = [Double](repeating: 0, count: 36)
    for (column, axis) in [r.x, r.y, r.z].enumerated() {
      let lever = cross(t, axis)
      for row in 0..<3 {
        adjoint[row * 6 + column] = axis[row]
        adjoint[(row + 3) * 6 + column] = lever[row]
        adjoint[(row + 3) * 6 + column + 3] = axis[row]
      }
    }
    return PoseEstimate(
      aFromB: aFromB.inverse.orthonormal, covariance: covariance.carried(by: adjoint))
  }

  /// The vector of rotation and translation from this estimate to another one of the same motion, in the axes of B.
  func difference(to other: PoseEstimate) -> [Double] {
    PoseResidual(aFromB.inverse * other.aFromB).values
  }

  /// The estimate with more variance of rotation and translation, alike along all axes.
  func widened(sigmaRadians: Double, sigmaMeters: Double) -> PoseEstimate {
    var wide = self
    for axis in 0..<3 {
      wide.covariance[axis, axis] += sigmaRadians * sigmaRadians
      wide.covariance[axis + 3, axis + 3] += sigmaMeters * sigmaMeters
    }
    return wide
  }
}

extension SymmetricMatrix {
  /// `J·C·Jᵀ` for a square `J`, row after row.
  fileprivate func carried(by jacobian: [Double]) -> SymmetricMatrix {
    var half = [Double](repeating: 0, count: count * count)
    for row in 0..<count {
      for column in 0..<count {
        half[row * count + column] = (0..<count).reduce(0) {
          $0 + jacobian[row * count + $1] * self[$1, column]
        }
      }
    }
    var product = SymmetricMatrix(count: count)
    for row in 0..<count {
      for column in 0...row {
        let sum = (0..<count).reduce(0) {
          $0 + half[row * count + $1] * jacobian[column * count + $1]
        }
        product[row, column] = sum
        product[column, row] = sum
      }
    }
    return product
  }
}
