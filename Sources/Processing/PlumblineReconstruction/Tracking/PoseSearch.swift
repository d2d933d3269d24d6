internal import PlumblineModel
internal import PlumblineNumerics

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// The state of the minimization.
struct PoseSearch {
  /// The pose so far: `worldFromCamera`.
  var pose: RigidTransform
  let prior: PosePrior
  let settings: TrackingSettings
  /// The size of the frame.
  let size: RasterSize
  /// Whether the frame before was registered without open directions.
  let isContinued: Bool
  /// What each σ is multiplied by, from the residuals of the step before; at least 1.
  var scale = 1.0

  /// The confirmed share of its information below which a direction is open.
  ///
  /// Of noise alone that share is 0 in the mean, and up to 0.48 in single frames of a noisy wall. Behind a frame without
  /// open directions it is lower: a single frame of a head has a little less than half; left out, it would leave the
  /// next ones without a pose to begin at.
  static func openShare(isContinued: Bool) -> Double { isContinued ? 0.4 : 0.5 }

  /// The weights of the next step.
  func step(_ viewFromWorld: RigidTransform, level: TrackingSettings.Level) -> TrackingStep {
    TrackingStep(
      viewFromCamera: viewFromWorld * pose, cosine: cos(settings.maximumNormalAngle),
      coarseShare: level.coarseShare, cutoff: settings.cutoffSigmas * scale)
  }

  /// Takes a step; returns whether another one is worth it.
  mutating func advance(
    _ sums: TrackingSums, level: TrackingSettings.Level, colors: () -> PoseEquations?
  ) -> Bool {
    // The median of |x| of a standard normal distribution is 1/1.4826. Coarse levels are wide already.
    scale =
      level.coarseShare > 0
      ? 1 : min(max(1, 1.4826 * (sums.medianSigmas ?? 0)), settings.maximumScale)
    guard
      let (equations, priorInformation, priorGradient) = equations(
        sums, level: level, colors: colors)
    else { return false }
    var total = priorInformation
    total += equations.information
    guard let factor = total.cholesky else { return false }
    let right = zip(equations.gradient, priorGradient).map { -($0 + $1) }
    let delta = factor.solve(right)
    pose =
      pose.moved(
        rotation: [delta[0], delta[1], delta[2]], translation: [delta[3], delta[4], delta[5]]
      ).orthonormal
    // Below a hundredth of the ± a further step changes nothing that could be measured.
    let lengthSquared = zip(delta, right).reduce(0) { $0 + $1.0 * $1.1 }
    return lengthSquared > 1e-4
  }

  /// The covariance of the pose in its own axes, and what fixes which number of directions.
  func covariance(
    _ sums: TrackingSums, level: TrackingSettings.Level, colors: () -> PoseEquations?
  ) -> (SymmetricMatrix, FixedDirections) {
    let nothing = (prior.estimate.covariance, FixedDirections(kept: 6))
    guard
      let (equations, priorInformation, _) = equations(sums, level: level, colors: colors)
    else { return nothing }
    var total = priorInformation
    total += equations.information
    guard let factor = total.cholesky else { return nothing }
    return (
      factor.inverse,
      FixedDirections(
        kept: equations.openDirections, byColor: equations.colorDirections,
        bySensors: equations.sensedDirections)
    )
  }

  /// The directions of six that the depths leave open, by what fixes them.
  struct FixedDirections {
    /// Those that keep the prior.
    var kept: Int
    var byColor = 0
    var bySensors = 0
  }

  /// The weakest direction of translation, and its share of the information of the strongest one.
  func weakestTranslation(_ sums: TrackingSums) -> (direction: SIMD3<Double>, share: Double) {
    let directions = sums.information.part([3, 4, 5]).eigen.pairs
    guard let weakest = directions.first, let strongest = directions.last, strongest.value > 0
    else { return (.zero, 0) }
    return (
      [weakest.vector[0], weakest.vector[1], weakest.vector[2]],
      max(0, weakest.value / strongest.value)
    )
  }

  /// The correction of the prior in its σ: the root of ‖log(T_prior⁻¹·T)‖²_Σ.
  var priorResidual: Double {
    let residual = priorDifference.vector
    guard let factor = prior.estimate.covariance.cholesky else { return 0 }
    return factor.solveLower(residual).reduce(0) { $0 + $1 * $1 }.squareRoot()
  }

  /// `T_prior⁻¹·T`, and it as a rotation vector and a translation.
  private var priorDifference: (transform: RigidTransform, vector: [Double]) {
    let difference = prior.estimate.aFromB.inverse * pose
    let r = difference.rotation.axisAngle
    let t = difference.translation
    return (difference, [r.x, r.y, r.z, t.x, t.y, t.z])
  }

  /// The data's equations without open directions, and those of the prior.
  private func equations(
    _ sums: TrackingSums, level: TrackingSettings.Level, colors: () -> PoseEquations?
  ) -> (data: TrackingInformation, prior: SymmetricMatrix, priorGradient: [Double])? {
    let difference = priorDifference
    guard let weight = prior.estimate.covariance.cholesky?.inverse else { return nil }
    // A motion in the axes of the pose turns the residual of the translation by the rotation between
    // prior and pose; for that of the rotation the turn is of second order.
    var jacobian = SymmetricMatrix(count: 6)
    let r = difference.transform.rotation.inverse
    for (axis, row) in [r.x, r.y, r.z].enumerated() {
      jacobian[axis, axis] = 1
      for column in 0..<3 { jacobian[axis + 3, column + 3] = row[column] }
    }
    // r.x is the first column of the inverse: the first row of the rotation.
    let information = weight.congruent(jacobian)
    let weighted = weight * difference.vector
    let gradient = (0..<6).map { column in
      (0..<6).reduce(0) { $0 + jacobian[$1, column] * weighted[$1] }
    }
    let patch = max(1, settings.patchShare * Double(size.width))
    let stride = Double(level.stride)
    let share = min(1, stride * stride / (patch * patch))
    let data = TrackingInformation.of(
      depths: sums.equations.scaled(by: share / (scale * scale)), prior: information,
      sensed: prior.sensedInformation, weakShare: settings.weakShare,
      openShare: Self.openShare(isContinued: isContinued)
    ) { colors()?.scaled(by: share) }
    return (data, information, gradient)
  }
}
