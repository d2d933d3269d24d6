package import PlumblineModel
package import PlumblineNumerics

/// What is known of a camera's pose before its frame is registered.
package struct PosePrior: Sendable {
  /// The expected pose and its covariance.
  package var estimate: PoseEstimate
  /// The part of the inverse covariance that motion sensors measured, six by six; `nil` for none.
  package private(set) var sensedInformation: SymmetricMatrix?

  /// Takes an estimate whose covariance is positive.
  ///
  /// - Precondition: The covariance has a Cholesky factor.
  package init(_ estimate: PoseEstimate) {
    precondition(estimate.covariance.cholesky != nil, "a prior needs a positive covariance")
    self.estimate = estimate
  }

  /// A prior with the same ± along all axes of the camera.
  ///
  /// - Parameters:
  ///   - worldFromCamera: The expected pose.
  ///   - sigmaRadians: One standard deviation of the rotation about each axis; above 0.
  ///   - sigmaMeters: The same of the translation along each axis.
  package init(
    worldFromCamera: RigidTransform, sigmaRadians: Double, sigmaMeters: Double
  ) {
    var covariance = SymmetricMatrix(count: 6)
    for axis in 0..<3 {
      covariance[axis, axis] = sigmaRadians * sigmaRadians
      covariance[axis + 3, axis + 3] = sigmaMeters * sigmaMeters
    }
    self.init(PoseEstimate(aFromB: worldFromCamera.orthonormal, covariance: covariance))
  }

  /// The pose before, moved as the recording says.
  ///
  /// σ is 0.5 mm and 2 % of the step, 0.3 mrad and 2 % of the angle: ARKit's poses of consecutive frames are
  /// smooth within a millimeter, and their scale differs from that of the depth by up to 9 % within one
  /// recording, 3 % on the whole (`Documentation/scan.md`).
  ///
  /// - Parameters:
  ///   - worldFromPrevious: The refined pose of the frame before.
  ///   - previous: Its recorded pose, in the recording's own world.
  ///   - current: The recorded pose of the frame.
  /// - Returns: The prior, in the world of the refined poses.
  package static func recordedMotion(
    from worldFromPrevious: RigidTransform, previous: RigidTransform, current: RigidTransform
  ) -> PosePrior {
    let motion = previous.inverse * current
    return PosePrior(
      worldFromCamera: worldFromPrevious * motion,
      sigmaRadians: 0.0003 + 0.02 * motion.angleRadians,
      sigmaMeters: 0.0005 + 0.02 * motion.distanceMeters)
  }

  /// The pose before, turned as the motion sensors say and shifted as between the two frames before.
  ///
  /// σ of the shift is that of ``constantVelocity(from:earlier:)``: integrating an accelerometer twice needs a velocity
  /// that nothing gives.
  ///
  /// - Parameters:
  ///   - worldFromPrevious: The pose of the frame before.
  ///   - worldFromEarlier: The pose before that; `nil` for a camera at rest.
  ///   - turn: The rotation of the camera since the frame before.
  ///   - covariance: That of its rotation vector, three by three, in rad².
  /// - Returns: The prior; `nil` where the sensors say less than the motion before.
  package static func sensedRotation(
    from worldFromPrevious: RigidTransform, earlier worldFromEarlier: RigidTransform?,
    turn: Rotation, covariance: SymmetricMatrix
  ) -> PosePrior? {
    let steady = constantVelocity(from: worldFromPrevious, earlier: worldFromEarlier).estimate
    var matrix = steady.covariance
    let trace = (0..<3).reduce(0) { $0 + covariance[$1, $1] }
    guard let information = covariance.cholesky?.inverse,
      trace < (0..<3).reduce(0, { $0 + matrix[$1, $1] })
    else { return nil }
    var sensed = SymmetricMatrix(count: 6)
    for row in 0..<3 {
      for column in 0..<3 {
        matrix[row, column] = covariance[row, column]
        sensed[row, column] = information[row, column]
      }
    }
    let shift = (worldFromPrevious.inverse * steady.aFromB).translation
    let pose = worldFromPrevious * RigidTransform(rotation: turn, translation: shift)
    var prior = PosePrior(PoseEstimate(aFromB: pose.orthonormal, covariance: matrix))
    prior.sensedInformation = sensed
    return prior
  }

  /// The pose before, moved as between the two frames before.
  ///
  /// It is wide: σ is 10 mm and half of the step, 20 mrad and half of the angle. A hand accelerates by about
  /// 10 m/s², which is 11 mm within 1/30 s.
  ///
  /// - Parameters:
  ///   - worldFromPrevious: The pose of the frame before.
  ///   - worldFromEarlier: The pose before that; `nil` for a camera at rest.
  /// - Returns: The prior.
  package static func constantVelocity(
    from worldFromPrevious: RigidTransform, earlier worldFromEarlier: RigidTransform?
  ) -> PosePrior {
    let motion = worldFromEarlier.map { $0.inverse * worldFromPrevious } ?? .identity
    return PosePrior(
      worldFromCamera: worldFromPrevious * motion,
      sigmaRadians: 0.02 + 0.5 * motion.angleRadians,
      sigmaMeters: 0.01 + 0.5 * motion.distanceMeters)
  }
}

extension RigidTransform {
  /// The same transform with a rotation that is orthogonal to rounding.
  ///
  /// Predictions from products `A·B⁻¹·A` need it: a transpose inverts a rotation but doubles the error of one that
  /// is not orthogonal, so that rounding grows by 1 + √2 with each frame and reaches 1 after 40.
  var orthonormal: RigidTransform {
    RigidTransform(
      rotation: Rotation(quaternion: rotation.quaternion) ?? rotation, translation: translation)
  }

  /// The length of the translation.
  var distanceMeters: Double { (translation * translation).sum().squareRoot() }

  /// The angle of the rotation, 0 to π.
  var angleRadians: Double {
    let vector = rotation.axisAngle
    return (vector * vector).sum().squareRoot()
  }
}
