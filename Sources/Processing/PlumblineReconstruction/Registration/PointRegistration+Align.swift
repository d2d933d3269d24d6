import PlumblineGeometry
package import PlumblineModel
import PlumblineNumerics

extension PointRegistration {
  /// Moves a cloud onto another.
  ///
  /// Each iteration pairs every source point with the nearest target point, sums the normal equations of the
  /// pairs that count in chunks of 1,024 in their order, and takes the step.
  ///
  /// - Parameters:
  ///   - source: In its own frame.
  ///   - target: In its own frame.
  ///   - initial: `targetFromSource` to begin with; `nil` for the prior's, or none without prior.
  ///   - prior: What is known of `targetFromSource` beforehand.
  ///   - threads: The maximum number of threads; the result does not depend on it.
  /// - Returns: The pose with its covariance; along directions that nothing determines it stays where it
  ///   began, with ``PoseSolution/unboundedVariance``.
  /// - Throws: ``RegistrationError``.
  /// - Complexity: O(*m* log *n*) an iteration for *m* source and *n* target points.
  package func align(
    _ source: RegistrationCloud, to target: RegistrationTarget,
    from initial: RigidTransform? = nil, prior: PoseEstimate? = nil, threads: Int
  ) throws(RegistrationError) -> RegistrationResult {
    try requireAttributes(source, target.cloud)
    var progress = Progress(pose: initial ?? prior?.aFromB ?? .identity)
    for level in levels {
      let (points, surface) = try reduced(source, target, level, threads: threads)
      var pairing = PairReduction(
        registration: self, level: level, source: points, target: surface, threads: threads)
      try descend(level, &pairing, prior, &progress)
    }
    guard let end = progress.end else { throw RegistrationError.notSolvable }
    let sums = end.sums
    return RegistrationResult(
      pose: PoseEstimate(aFromB: progress.pose, covariance: end.solution.covariance),
      inlierShare: Double(sums.inliers) / Double(max(1, end.points)),
      rmsMeters: (sums.squares / Double(max(1, sums.inliers))).squareRoot(),
      iterations: progress.iterations, converged: progress.converged,
      directions: end.solution.directions)
  }

  /// What has been reached.
  private struct Progress {
    var pose: RigidTransform
    var iterations = 0
    var converged = false
    var damping = MarquardtDamping(1e-4)
    var end: (solution: PoseSolution, sums: PairSums, points: Int)?
  }

  private func descend(
    _ level: Level, _ pairing: inout PairReduction, _ prior: PoseEstimate?,
    _ progress: inout Progress
  ) throws(RegistrationError) {
    progress.converged = false
    for _ in 0..<max(1, level.maximumIterations) where !progress.converged {
      let sums = pairing.paired(at: progress.pose)
      guard sums.equations.count >= 6 else {
        throw RegistrationError.tooFewPairs(found: sums.equations.count, needed: 6)
      }
      let step = try step(sums, pairing, prior, &progress)
      progress.iterations += 1
      progress.end = (step, sums, pairing.source.positions.count)
      progress.converged =
        length(step.rotation) < convergenceRadians && length(step.translation) < convergenceMeters
    }
  }

  /// Takes one step; a damped one that does not lower the cost of the same pairs is tried again, shorter.
  private func step(
    _ sums: PairSums, _ pairing: PairReduction, _ prior: PoseEstimate?, _ progress: inout Progress
  ) throws(RegistrationError) -> PoseSolution {
    let known = prior.flatMap { PriorEquations.cost(of: $0, at: progress.pose) }
    guard prior == nil || known != nil else { throw RegistrationError.notSolvable }
    let isDamped = optimizer == .levenbergMarquardt
    let cost = sums.equations.cost * informationShare + (known?.cost ?? 0)
    var solution = sums.equations.solve(
      share: informationShare, prior: known, weakShare: weakShare,
      damping: isDamped ? progress.damping.value : 0)
    for _ in 0..<12 {
      guard let trial = solution else { throw RegistrationError.notSolvable }
      let pose = progress.pose.moved(rotation: trial.rotation, translation: trial.translation)
      if !isDamped {
        progress.pose = pose
        return trial
      }
      var after = pairing.cost(at: pose) * informationShare
      if let prior, let moved = PriorEquations.cost(of: prior, at: pose) { after += moved.cost }
      if after <= cost {
        let predicted = 2 * trial.predictedDecrease
        progress.damping.accept(ratio: predicted > 0 ? (cost - after) / predicted : 1)
        progress.pose = pose
        return trial
      }
      progress.damping.reject()
      solution = sums.equations.solve(
        share: informationShare, prior: known, weakShare: weakShare,
        damping: progress.damping.value)
    }
    // No shorter step lowers the cost: the pose is a minimum within rounding.
    guard let trial = solution else { throw RegistrationError.notSolvable }
    return trial.withoutStep
  }

  private func requireAttributes(_ source: RegistrationCloud, _ target: RegistrationCloud)
    throws(RegistrationError)
  {
    if factor.usesSourceNormals, source.normals == nil {
      throw RegistrationError.missingAttribute("normals of the source")
    }
    if factor.usesTargetNormals, target.normals == nil {
      throw RegistrationError.missingAttribute("normals of the target")
    }
    if case .colored = factor, source.intensities == nil || target.intensities == nil {
      throw RegistrationError.missingAttribute("intensities of both clouds")
    }
  }

  private func reduced(
    _ source: RegistrationCloud, _ target: RegistrationTarget, _ level: Level, threads: Int
  ) throws(RegistrationError) -> (RegistrationCloud, RegistrationTarget) {
    guard let voxel = level.voxelMeters else { return (source, target) }
    do {
      return (
        try source.downsampled(voxelMeters: voxel, threads: threads),
        RegistrationTarget.build(
          try target.cloud.downsampled(voxelMeters: voxel, threads: threads), threads: threads)
      )
    } catch {
      throw RegistrationError.voxels(error)
    }
  }

  private func length(_ vector: SIMD3<Double>) -> Double { (vector * vector).sum().squareRoot() }
}
