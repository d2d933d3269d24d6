internal import PlumblineModel

/// Finds where groups of keyframes that nothing connects see the same place.
///
/// Each pair of keyframes is registered both ways as if it were one view, within 10° and a tenth of the depth. A
/// group is joined where three pairs or more say the same of its place, and twice as many as say anything else: what
/// looks alike elsewhere leaves it open.
struct FragmentJoining: Sendable {
  /// The most threads; the result does not depend on it.
  var threads: Int

  /// The keyframes of a group that are tried, evenly chosen: 32 × 32 pairs take some 3 s.
  static let keyframeCount = 32
  /// Two pairs agree where the camera of the second group is within these of the same place.
  static let agreementMeters = 0.1
  static let agreementRadians = 0.05
  static let minimumAgreeing = 3

  /// What a pair of keyframes says.
  private struct Match {
    var a: Int
    var b: Int
    var aFromB: PoseEstimate

    func isOther(than match: Match) -> Bool { (a, b) != (match.a, match.b) }
  }

  /// Joins groups, the earlier ones first, with the pair that most others agree with as the trusted motion and those
  /// as loops.
  func join(_ graph: inout LoopGraph) {
    for group in Set(graph.groups).sorted().dropFirst() {
      for earlier in Set(graph.groups).sorted() where earlier < group {
        guard let agreeing = best(of: matches(graph, earlier, group), graph) else { continue }
        graph.add(loops: agreeing.dropFirst().compactMap { edge($0, .loop) })
        if let step = edge(agreeing[0], .odometry) { graph.add(step: step) }
        break
      }
    }
  }

  private func edge(_ match: Match, _ kind: PoseGraphEdge.Kind) -> PoseGraphEdge? {
    PoseGraphEdge(a: match.a, b: match.b, measured: match.aFromB, kind: kind)
  }

  private func matches(_ graph: LoopGraph, _ first: Int, _ second: Int) -> [Match] {
    let (left, right) = (some(graph, first), some(graph, second))
    var found = [Match?](repeating: nil, count: left.count * right.count)
    let prior = PosePrior(worldFromCamera: .identity, sigmaRadians: 0.2, sigmaMeters: 0.1)
    found.withUnsafeMutableBufferPointer { found in
      forEachConcurrently(found.count, threads: threads) { number in
        let (a, b) = (left[number / right.count], right[number % right.count])
        found[number] = KeyframeRegistration.anywhere.measured(
          graph.keyframes[b].frame, in: graph.keyframes[a].frame, prior: prior
        ).map { Match(a: a, b: b, aFromB: $0) }
      }
    }
    return found.compactMap { $0 }
  }

  /// The keyframes of a group, evenly chosen.
  private func some(_ graph: LoopGraph, _ group: Int) -> [Int] {
    let all = graph.groups.indices.filter { graph.groups[$0] == group }
    let count = min(all.count, Self.keyframeCount)
    return (0..<count).map { all[$0 * all.count / count] }
  }

  /// The match that most others agree with, then those; `nil` where too few do, or too many say another place.
  private func best(of matches: [Match], _ graph: LoopGraph) -> [Match]? {
    let agreeing = matches.map { match in
      [match] + matches.filter { $0.isOther(than: match) && agrees($0, match, graph) }
    }
    var best: [Match] = []
    for group in agreeing where group.count > best.count { best = group }
    guard let first = best.first, best.count >= Self.minimumAgreeing else { return nil }
    let elsewhere = agreeing.filter { !agrees($0[0], first, graph) }.map(\.count).max() ?? 0
    return best.count >= 2 * elsewhere ? best : nil
  }

  /// Whether two matches put the camera of the second one's keyframe at one place.
  private func agrees(_ other: Match, _ match: Match, _ graph: LoopGraph) -> Bool {
    let motion = placed(match, match.b, graph).inverse * placed(other, match.b, graph)
    return motion.distanceMeters <= Self.agreementMeters
      && motion.angleRadians <= Self.agreementRadians
  }

  /// The pose of a keyframe of the second group in the world of the first one, by a match.
  private func placed(_ match: Match, _ keyframe: Int, _ graph: LoopGraph) -> RigidTransform {
    graph.poses[match.a].aFromB * match.aFromB.aFromB * graph.poses[match.b].aFromB.inverse
      * graph.poses[keyframe].aFromB
  }
}
