package import PlumblineGeometry

/// Registration of point clouds by iterated closest points.
///
/// It is made of small parts: the factor says what the distance of a pair is, the loss what it costs, the
/// rejection which pairs count, the levels how coarse it begins; see ``align(_:to:from:prior:threads:)``.
package struct PointRegistration: Sendable {
  /// One stage from coarse to fine.
  package struct Level: Hashable, Sendable {
    /// The voxels to which both clouds are reduced, in meters; `nil` for all points.
    package var voxelMeters: Double?
    /// Pairs farther apart do not count, in meters.
    package var maximumDistanceMeters: Double
    /// The maximum number of iterations.
    package var maximumIterations: Int

    /// Describes a stage.
    package init(
      voxelMeters: Double? = nil, maximumDistanceMeters: Double, maximumIterations: Int = 30
    ) {
      self.voxelMeters = voxelMeters
      self.maximumDistanceMeters = maximumDistanceMeters
      self.maximumIterations = maximumIterations
    }
  }

  /// How the step is found.
  package enum Optimizer: Hashable, Sendable {
    /// The minimum of the quadratic model.
    case gaussNewton
    /// Damped until the cost of the same pairs falls.
    case levenbergMarquardt
  }

  /// What the distance of a pair is.
  package var factor: RegistrationFactor
  /// What it costs.
  package var loss: RobustLoss
  /// From coarse to fine.
  package var levels: [Level]
  /// Pairs whose normals differ by a larger angle do not count, in radians; where a normal is not known, or
  /// with π or more, the angle does not decide.
  package var maximumNormalAngle = Double.infinity
  /// Pairs farther apart than this many σ, along the factor's first direction, do not count.
  package var maximumSigmas = Double.infinity
  /// The ± of a pair's residual in meters, where the clouds do not state their points' own.
  package var residualSigmaMeters: Double
  /// Independent pairs over all pairs, which multiplies the information of all.
  ///
  /// Neighbors share errors, and
  /// with 1 the covariance is far too small for the pixels of one image.
  package var informationShare = 1.0
  /// A direction is weak below this share of the strongest information; there the prior stays.
  package var weakShare = 0.001
  /// How the step is found.
  package var optimizer = Optimizer.gaussNewton
  /// A step that turns by less, in radians, and moves by less than ``convergenceMeters`` is the last.
  package var convergenceRadians = 1e-4
  /// See ``convergenceRadians``.
  package var convergenceMeters = 1e-4

  /// Describes a registration.
  ///
  /// - Precondition: There is a level; distances and ± are above 0.
  package init(
    factor: RegistrationFactor = .pointToPlane, loss: RobustLoss = .none, levels: [Level],
    residualSigmaMeters: Double
  ) {
    precondition(!levels.isEmpty, "a registration without levels")
    precondition(
      residualSigmaMeters > 0 && levels.allSatisfy { $0.maximumDistanceMeters > 0 },
      "a ± of \(residualSigmaMeters) m")
    self.factor = factor
    self.loss = loss
    self.levels = levels
    self.residualSigmaMeters = residualSigmaMeters
  }
}

/// Clouds that cannot be registered.
package enum RegistrationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Fewer residuals than a pose has unknowns.
  case tooFewPairs(found: Int, needed: Int)
  /// A cloud lacks what the factor compares.
  case missingAttribute(String)
  /// The voxels of a level cannot be numbered.
  case voxels(VoxelNumberingError)
  /// The prior's covariance is not positive definite, or sums are not finite.
  case notSolvable

  /// One sentence.
  package var description: String {
    switch self {
    case .tooFewPairs(let found, let needed):
      "\(found) residuals of paired points, where \(needed) are needed"
    case .missingAttribute(let name): "the factor needs \(name)"
    case .voxels(let error): error.description
    case .notSolvable: "the equations of the pose have no solution"
    }
  }
}

/// How two clouds lie to each other.
package struct RegistrationResult: Sendable {
  /// `targetFromSource`; the covariance is in the axes of the source.
  ///
  /// It is `(H·share + Σ⁻¹)⁻¹` of the last step, right where the pairs are and their ± is true; wrong pairs
  /// are not in it.
  /// - Source: A. Censi, ICRA 2007, without its term for the choice of pairs.
  package let pose: PoseEstimate
  /// The share of the source's points that have a pair of weight above 0.
  package let inlierShare: Double
  /// The root mean square of the first residual of these pairs, in meters.
  package let rmsMeters: Double
  /// Steps taken in all levels.
  package let iterations: Int
  /// Whether the last level ended with a step below the limits.
  package let converged: Bool
  /// The directions in which the pairs determine the pose, the weakest first, before any prior.
  package let directions: PoseDirections
}
