internal import PlumblineModel

extension LoopGraph {
  /// What the graph says of the path.
  ///
  /// - Parameter misfits: The pairs of keyframes that did not fit.
  /// - Returns: The poses, those of groups without a kept loop as they were tracked.
  func closure(misfits: Int) -> LoopClosure {
    let kept = loops.indices.filter { !isRejected[$0] }
    let corrected = Set(kept.map { groups[loops[$0].a] })
    let estimates = keyframes.indices.map {
      corrected.contains(groups[$0]) ? poses[$0] : keyframes[$0].estimate
    }
    let moved = keyframes.indices.map { place -> Double in
      let motion = keyframes[place].estimate.aFromB.inverse * estimates[place].aFromB
      return motion.distanceMeters + motion.angleRadians * keyframes[place].medianMeters
    }
    return LoopClosure(
      loops: loops.indices.map { loop($0, estimates) }
        .sorted { ($0.second, $0.first) < ($1.second, $1.first) },
      misfitCount: misfits, keyframes: keyframes.map(\.index), worldFromKeyframes: estimates,
      surfaces: surfaces(joinedBy: kept), movedMeters: moved.max() ?? 0)
  }

  /// The surface of each fragment: the first one that kept loops join it with.
  private func surfaces(joinedBy kept: [Int]) -> [Int] {
    var surfaces = Array(0...(keyframes.map(\.fragment).max() ?? 0))
    for loop in kept {
      let first = surfaces[keyframes[loops[loop].a].fragment]
      let second = surfaces[keyframes[loops[loop].b].fragment]
      guard first != second else { continue }
      for fragment in surfaces.indices where surfaces[fragment] == max(first, second) {
        surfaces[fragment] = min(first, second)
      }
    }
    return surfaces
  }

  private func loop(_ number: Int, _ estimates: [PoseEstimate]) -> LoopClosure.Loop {
    let edge = loops[number]
    let (a, b) = (keyframes[edge.a], keyframes[edge.b])
    func difference(_ worldFromA: RigidTransform, _ worldFromB: RigidTransform) -> Double {
      (edge.measured.aFromB.inverse * worldFromA.inverse * worldFromB).distanceMeters
    }
    var recorded: Double?
    if let first = a.frame.worldFromCamera, let second = b.frame.worldFromCamera {
      recorded = difference(first, second)
    }
    return LoopClosure.Loop(
      first: a.index, second: b.index, firstFromSecond: edge.measured.aFromB,
      pathMeters: PoseDrift.between(a, b).meters,
      trackedMeters: a.fragment == b.fragment
        ? difference(a.estimate.aFromB, b.estimate.aFromB) : nil,
      recordedMeters: recorded,
      correctedMeters: difference(estimates[edge.a].aFromB, estimates[edge.b].aFromB),
      isKept: !isRejected[number])
  }
}
