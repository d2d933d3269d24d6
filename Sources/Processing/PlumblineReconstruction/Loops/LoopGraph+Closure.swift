internal import PlumblineModel
internal import PlumblineNumerics

extension LoopGraph {
  /// Corrected poses must lower the disagreement of the places seen again to this share: less is chance.
  private static let improvement = 0.9
  /// They may raise that of keyframes near each other on the path to this share.
  private static let worsening = 1.1

  /// What the graph says of the path.
  ///
  /// - Parameters:
  ///   - misfits: The pairs of keyframes that did not fit.
  ///   - threads: At least 1; the result does not depend on it.
  /// - Returns: The poses, as they were tracked where no loop is kept, or where that agrees better.
  func closure(misfits: Int, threads: Int) -> LoopClosure {
    let kept = loops.indices.filter { !isRejected[$0] }
    let corrected = Set(kept.map { groups[loops[$0].a] })
    var estimates = keyframes.indices.map {
      corrected.contains(groups[$0]) ? poses[$0] : keyframes[$0].estimate
    }
    let surfaces = surfaces(joinedBy: kept)
    if surfaces == Array(surfaces.indices), !agreesBetter(estimates, threads: threads) {
      estimates = keyframes.map(\.estimate)
    }
    let moved = keyframes.indices.map { place -> Double in
      let motion = keyframes[place].estimate.aFromB.inverse * estimates[place].aFromB
      return motion.distanceMeters + motion.angleRadians * keyframes[place].medianMeters
    }
    return LoopClosure(
      loops: loops.indices.map { loop($0, estimates) }
        .sorted { ($0.second, $0.first) < ($1.second, $1.first) },
      misfitCount: misfits, keyframes: keyframes.map(\.index), worldFromKeyframes: estimates,
      surfaces: surfaces, movedMeters: moved.max() ?? 0)
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
      sigmaMeters: edge.measured.covariance.largestTranslation,
      trackedMeters: a.fragment == b.fragment
        ? difference(a.estimate.aFromB, b.estimate.aFromB) : nil,
      recordedMeters: recorded,
      correctedMeters: difference(estimates[edge.a].aFromB, estimates[edge.b].aFromB),
      isKept: !isRejected[number])
  }

  /// Whether places seen again agree better at corrected poses than as tracked, and keyframes four places apart hardly
  /// worse.
  private func agreesBetter(_ estimates: [PoseEstimate], threads: Int) -> Bool {
    let (tracked, corrected) = (keyframes.map(\.estimate.aFromB), estimates.map(\.aFromB))
    func ratio(_ pairs: [(Int, Int)]) -> Double {
      let before = disagreement(of: pairs, tracked, threads: threads)
      return before > 0 ? disagreement(of: pairs, corrected, threads: threads) / before : 1
    }
    return ratio(loops.indices.filter { !isRejected[$0] }.map { (loops[$0].a, loops[$0].b) })
      <= Self.improvement
      && ratio(keyframes.indices.dropLast(4).map { ($0, $0 + 4) }) <= Self.worsening
  }

  /// The mean over pairs of keyframes of one fragment of the median difference of their depths, in meters; 0 without
  /// pairs.
  private func disagreement(
    of pairs: [(Int, Int)], _ worldFromCameras: [RigidTransform], threads: Int
  ) -> Double {
    let pairs = pairs.filter { keyframes[$0.0].fragment == keyframes[$0.1].fragment }
    var medians = [Double?](repeating: nil, count: pairs.count)
    medians.withUnsafeMutableBufferPointer { medians in
      forEachConcurrently(pairs.count, threads: threads) { number in
        let (a, b) = pairs[number]
        medians[number] =
          FrameOverlap.samples(
            of: keyframes[b].frame, in: keyframes[a].frame,
            iFromJ: worldFromCameras[a].inverse * worldFromCameras[b], stride: 4
          ).map { abs($0.differenceMeters) }.filter { $0 < FrameOverlap.limitMeters }.upperMedian
      }
    }
    let known = medians.compactMap { $0 }
    return known.isEmpty ? 0 : known.reduce(0, +) / Double(known.count)
  }
}

extension SymmetricMatrix {
  /// The largest standard deviation of the translation of a pose's covariance, in meters.
  fileprivate var largestTranslation: Double {
    part([3, 4, 5]).eigen.pairs.last.map { max(0, $0.value).squareRoot() } ?? 0
  }
}
