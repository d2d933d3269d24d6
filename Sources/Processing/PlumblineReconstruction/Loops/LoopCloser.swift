internal import PlumblineModel
internal import PlumblineNumerics

/// Finds where a path comes back to a place, and the poses that agree with it.
///
/// 1. Each keyframe is registered to the one before, from the recorded motion where there is one. The tracked motion
///    counts unless that contradicts it: the model that frames are tracked against may pull the path to an old
///    surface, and two frames know nothing of it.
/// 2. Pairs whose poses say that they see the same place (``LoopCandidates``) are registered both ways, each to the
///    surface around the other one (``KeyframeSurroundings``).
/// 3. The graph of all keyframes is solved with robust loops (``PoseGraph``), and pairs are looked for again at the
///    better poses, three times at most.
/// 4. The poses are taken where keyframes that overlap agree better by a tenth than as tracked, or where fragments are joined.
package struct LoopCloser: Sendable {
  /// The most threads; the result does not depend on it.
  package var threads: Int
  private static let rounds = 3

  /// Creates a closer.
  ///
  /// - Precondition: At least one thread.
  package init(threads: Int) {
    precondition(threads >= 1, "\(threads) threads")
    self.threads = threads
  }

  /// Closes the loops of a path.
  ///
  /// - Parameter keyframes: In the order of time.
  /// - Returns: The poses; as they were where no loop is kept. Cost: some 4 ms for each keyframe and pair, 50 ms
  ///   for each keyframe of a pair, and the graph.
  package func closed(_ keyframes: [Keyframe]) -> LoopClosure {
    var graph = LoopGraph(keyframes)
    for step in each(keyframes.count, { self.step($0, keyframes) }) {
      if let step { graph.add(step: step) }
    }
    var misfits = 0
    var known: Set<LoopCandidates.Pair> = []
    FragmentJoining(threads: threads).join(&graph)
    graph.solve()
    let candidates = LoopCandidates(keyframes)
    for _ in 0..<Self.rounds {
      let pairs = candidates.pairs(
        poses: graph.poses.map(\.aFromB), groups: graph.groups, known: known, threads: threads)
      guard !pairs.isEmpty else { break }
      known.formUnion(pairs)
      let poses = graph.poses
      let views = KeyframeSurroundings(keyframes).views(
        of: Set(pairs.flatMap { [$0.a, $0.b] }), threads: threads)
      let found = each(pairs.count) { loop(pairs[$0], keyframes, poses, views) }.compactMap { $0 }
      misfits += pairs.count - found.count
      guard !found.isEmpty else { break }
      graph.add(loops: found)
      graph.solve()
    }
    return graph.closure(misfits: misfits, threads: threads)
  }

  /// The values of all indices, in their order.
  private func each<Value>(_ count: Int, _ value: (Int) -> Value?) -> [Value?] {
    var values = [Value?](repeating: nil, count: count)
    values.withUnsafeMutableBufferPointer { values in
      forEachConcurrently(count, threads: threads) { values[$0] = value($0) }
    }
    return values
  }

  /// The motion from the keyframe before; `nil` for the first one, and between fragments without recorded poses.
  private func step(_ place: Int, _ keyframes: [Keyframe]) -> PoseGraphEdge? {
    guard place > 0 else { return nil }
    let (a, b) = (keyframes[place - 1], keyframes[place])
    guard let prior = Self.stepPrior(a, b) else { return nil }
    let measured = KeyframeRegistration.step.measured(b.frame, in: a.frame, prior: prior)
    let tracked = Self.trackedStep(a, b)
    let motion: PoseEstimate
    if let tracked, measured.map({ Self.isNear(tracked, $0) }) ?? true {
      motion = tracked
    } else {
      motion = measured ?? prior.estimate
    }
    let drift = PoseDrift.between(a, b)
    return PoseGraphEdge(
      a: place - 1, b: place,
      measured: motion.widened(
        sigmaRadians: drift.sigmaRadians, sigmaMeters: drift.sigmaMeters), kind: .odometry)
  }

  /// The motion as tracked; `nil` between two fragments.
  private static func trackedStep(_ a: Keyframe, _ b: Keyframe) -> PoseEstimate? {
    guard a.fragment == b.fragment else { return nil }
    var covariance = a.estimate.covariance
    covariance += b.estimate.covariance
    return PoseEstimate(
      aFromB: (a.estimate.aFromB.inverse * b.estimate.aFromB).orthonormal, covariance: covariance)
  }

  /// Whether two frames alone agree with the tracked motion: within 1 mm and 1.5 % of it as one deviation.
  ///
  /// Tracking against the fused surface is the more accurate of both, until it is pulled to an old surface.
  private static func isNear(_ tracked: PoseEstimate, _ measured: PoseEstimate) -> Bool {
    let motion = measured.aFromB
    let allowed = measured.widened(
      sigmaRadians: 0.001 + 0.015 * motion.angleRadians,
      sigmaMeters: 0.001 + 0.015 * motion.distanceMeters)
    guard let information = allowed.covariance.scaledInverse else { return true }
    let difference = measured.difference(to: tracked)
    return zip(difference, information * difference).reduce(0) { $0 + $1.0 * $1.1 }
      <= PoseGraph.loopLimit
  }

  /// The expected motion between two keyframes that follow each other.
  private static func stepPrior(_ a: Keyframe, _ b: Keyframe) -> PosePrior? {
    if let before = a.frame.worldFromCamera, let now = b.frame.worldFromCamera {
      let seconds = b.frame.timestampSeconds.flatMap { end in
        a.frame.timestampSeconds.map { end - $0 }
      }
      if FusionLimits().isPossible(before.inverse * now, seconds) {
        return .recordedMotion(from: .identity, previous: before, current: now)
      }
    }
    guard a.fragment == b.fragment else { return nil }
    let motion = a.estimate.aFromB.inverse * b.estimate.aFromB
    // What a track without recorded poses may be pulled by between two keyframes.
    return PosePrior(
      worldFromCamera: motion, sigmaRadians: 0.003 + 0.1 * motion.angleRadians,
      sigmaMeters: 0.003 + 0.1 * motion.distanceMeters)
  }

  /// The motion between two keyframes that may see the same place; `nil` where they do not.
  private func loop(
    _ pair: LoopCandidates.Pair, _ keyframes: [Keyframe], _ poses: [PoseEstimate],
    _ views: [Int: SurfaceView]
  ) -> PoseGraphEdge? {
    let (a, b) = (keyframes[pair.a], keyframes[pair.b])
    guard let viewOfA = views[pair.a], let viewOfB = views[pair.b] else { return nil }
    let drift = PoseDrift.between(a, b)
    // Wide, so that the measurement counts and not what the path said before.
    let prior = PosePrior(
      worldFromCamera: poses[pair.a].aFromB.inverse * poses[pair.b].aFromB,
      sigmaRadians: 0.02 + 3 * drift.sigmaRadians, sigmaMeters: 0.02 + 3 * drift.sigmaMeters)
    return KeyframeRegistration.loop.measured(
      b.frame, around: viewOfB, in: a.frame, around: viewOfA, prior: prior
    ).flatMap { PoseGraphEdge(a: pair.a, b: pair.b, measured: $0, kind: .loop) }
  }
}
