package import PlumblineModel
package import PlumblineNumerics

/// A transform between two frames of reference with its covariance.
///
/// The error is in the axes of the second frame: the true transform is
/// `aFromB * RigidTransform(rotation: Rotation(axisAngle: r), translation: t)` with the vector `(r, t)` of mean
/// 0 and this covariance; `r` in radians, `t` in meters.
package struct PoseEstimate: Sendable {
  /// The estimate.
  package var aFromB: RigidTransform
  /// Six by six: the rotation vector first, then the translation; in rad², rad·m and m².
  package var covariance: SymmetricMatrix

  /// Collects an estimate.
  ///
  /// - Precondition: The covariance is six by six.
  package init(aFromB: RigidTransform, covariance: SymmetricMatrix) {
    precondition(covariance.count == 6, "a covariance of \(covariance.count) rows for a pose")
    self.aFromB = aFromB
    self.covariance = covariance
  }
}

extension RigidTransform {
  /// The transform after a small motion in the axes of its second frame: `aFromB * (rotation, translation)`.
  ///
  /// - Parameters:
  ///   - rotation: The rotation vector in radians; its length below 1e6.
  ///   - translation: In the unit of the transform.
  /// - Returns: The product.
  package func moved(
    rotation: SIMD3<Double>, translation: SIMD3<Double>
  ) -> RigidTransform {
    self
      * RigidTransform(
        rotation: Rotation(axisAngle: rotation) ?? .identity, translation: translation)
  }
}
