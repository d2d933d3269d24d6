internal import PlumblineModel
internal import PlumblineNumerics

/// Keyframes with the motions that were measured between them, in groups that trusted motions connect.
struct LoopGraph: Sendable {
  let keyframes: [Keyframe]
  /// The present poses, each in the world of its group.
  private(set) var poses: [PoseEstimate]
  /// The group of each keyframe: the place of its first one.
  private(set) var groups: [Int]
  /// Motions that are trusted.
  private(set) var steps: [PoseGraphEdge] = []
  /// Places seen again.
  private(set) var loops: [PoseGraphEdge] = []
  /// Which of the loops contradict the rest.
  private(set) var isRejected: [Bool] = []

  init(_ keyframes: [Keyframe]) {
    self.keyframes = keyframes
    poses = keyframes.map(\.estimate)
    groups = Array(keyframes.indices)
    for (place, keyframe) in keyframes.enumerated().dropFirst()
    where keyframe.fragment == keyframes[place - 1].fragment {
      groups[place] = groups[place - 1]
    }
  }

  /// Adds a trusted motion; where it connects two groups, the second one moves to where it says.
  mutating func add(step: PoseGraphEdge) {
    steps.append(step)
    let (first, second) = (groups[step.a], groups[step.b])
    guard first != second else { return }
    let target = poses[step.a].aFromB * step.measured.aFromB
    let move = target * poses[step.b].aFromB.inverse
    for place in groups.indices where groups[place] == second {
      groups[place] = first
      poses[place].aFromB = (move * poses[place].aFromB).orthonormal
    }
  }

  mutating func add(loops found: [PoseGraphEdge]) {
    loops += found
    isRejected += found.map { _ in false }
  }

  /// Finds the poses of the groups that have loops; a group none of whose loops is kept stays as it was tracked.
  mutating func solve() {
    for group in Set(groups).sorted() {
      let nodes = groups.indices.filter { groups[$0] == group }
      let places = Dictionary(uniqueKeysWithValues: nodes.enumerated().map { ($1, $0) })
      let own = loops.indices.filter {
        groups[loops[$0].a] == group && groups[loops[$0].b] == group
      }
      guard !own.isEmpty else { continue }
      let trusted = steps.filter { groups[$0.a] == group }
      let edges = (trusted + own.map { loops[$0] }).compactMap { edge -> PoseGraphEdge? in
        guard let a = places[edge.a], let b = places[edge.b] else { return nil }
        return edge.joining(a, b)
      }
      let graph = PoseGraph(worldFromNodes: nodes.map { poses[$0].aFromB }, edges: edges)
      // A graph that cannot be solved says nothing: its loops are not believed.
      let solution = try? graph.solved()
      let rejected = Set(solution?.rejectedLoops ?? Array(edges.indices))
      for (number, loop) in own.enumerated() {
        isRejected[loop] = rejected.contains(trusted.count + number)
      }
      guard let solution, own.contains(where: { !isRejected[$0] }) else { continue }
      for (node, estimate) in zip(nodes, solution.worldFromNodes) {
        poses[node] = PoseEstimate(
          aFromB: estimate.aFromB.orthonormal, covariance: estimate.covariance)
      }
    }
  }
}

extension PoseGraphEdge {
  /// The same motion between two nodes of other numbers.
  fileprivate func joining(_ a: Int, _ b: Int) -> PoseGraphEdge? {
    PoseGraphEdge(a: a, b: b, measured: measured, kind: kind)
  }
}
