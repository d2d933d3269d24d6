import PlumblineModel
import PlumblineNumerics

extension PoseGraph {
  /// The bound of a loop's squared residual: the 99 % point of χ² of six degrees of freedom.
  package static let loopLimit = 16.81

  /// Finds the poses that agree best with the edges, rejecting loops that contradict the rest.
  ///
  /// Levenberg–Marquardt steps on a sparse Cholesky factor. Loops have the robust loss of Geman and McClure,
  /// at first so wide that the cost is nearly quadratic, then narrower by a factor of 1.4 at a time (graduated
  /// non-convexity); at last the loops within ``loopLimit`` count in full and the others not at all, so that the
  /// covariance is the one of least squares.
  /// - Parameter limit: The bound of the squared residual of a loop.
  /// - Returns: The poses, their covariances and the rejected loops.
  /// - Throws: ``PoseGraphError`` for a graph in pieces or without a positive factor.
  /// - Source: H. Yang et al., *Graduated Non-Convexity for Robust Spatial Perception*, RA-L 5 (2020) 1127–1134.
  ///   Cost: linear in nodes and edges for chains with few loops, times some 50 to 100 factors.
  package func solved(
    limit: Double = PoseGraph.loopLimit
  ) throws(PoseGraphError) -> PoseGraphSolution {
    let apart = unconnectedNodes
    guard apart.isEmpty else { throw .unconnected(nodes: apart) }
    var descent = PoseGraphDescent(self)
    let loops = edges.indices.filter { edges[$0].kind == .loop }
    if !loops.isEmpty {
      try graduate(&descent, loops: loops, limit: limit)
      try settle(&descent, loops: loops, limit: limit)
    } else {
      try descent.descend(maximumSteps: 100)
    }
    return try solution(descent)
  }

  /// Narrows the loss of the loops until it is the one of Geman and McClure.
  private func graduate(
    _ descent: inout PoseGraphDescent, loops: [Int], limit: Double
  ) throws(PoseGraphError) {
    try descent.descend(maximumSteps: 20)
    let largest = descent.squares(of: loops).max() ?? 0
    // Beyond 1e9 the first rounds would change nothing; 1.4 is the paper's factor.
    var control = min(1e9, max(1, 2 * largest / limit))
    while true {
      for (loop, square) in zip(loops, descent.squares(of: loops)) {
        let root = control * limit / (square + control * limit)
        descent.weights[loop] = root * root
      }
      try descent.descend(maximumSteps: control > 1 ? 2 : 20)
      guard control > 1 else { return }
      control = max(1, control / 1.4)
    }
  }

  /// Keeps the loops within the limit with their full weight until the choice stays.
  private func settle(
    _ descent: inout PoseGraphDescent, loops: [Int], limit: Double
  ) throws(PoseGraphError) {
    // A loop at the edge may be taken and dropped in turn; after five rounds it is only dropped.
    for round in 0..<(5 + loops.count) {
      var isSettled = true
      for (loop, square) in zip(loops, descent.squares(of: loops)) {
        let wasKept = descent.weights[loop] == 1
        let isKept = square <= limit && (round < 5 || wasKept)
        if descent.weights[loop] != (isKept ? 1 : 0) { isSettled = false }
        descent.weights[loop] = isKept ? 1 : 0
      }
      if isSettled { return }
      try descent.descend(maximumSteps: 100)
    }
  }

  private func solution(
    _ descent: PoseGraphDescent
  ) throws(PoseGraphError) -> PoseGraphSolution {
    let squares = descent.squares(of: Array(edges.indices))
    let kept = edges.indices.filter { descent.weights[$0] > 0 }
    let covariances = try descent.covariances()
    return PoseGraphSolution(
      worldFromNodes: zip(descent.worldFromNodes, covariances).map {
        PoseEstimate(aFromB: $0, covariance: $1)
      },
      rejectedLoops: edges.indices.filter { descent.weights[$0] == 0 },
      squaredResiduals: squares, keptSum: kept.reduce(0) { $0 + squares[$1] },
      degreesOfFreedom: 6 * (kept.count - worldFromNodes.count + 1), steps: descent.steps)
  }
}
