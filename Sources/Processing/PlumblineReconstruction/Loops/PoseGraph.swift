package import PlumblineModel

/// Keyframes whose poses are to be found from the motions measured between them.
///
/// The pose of the first keyframe stays as it is: all others, and their covariances, are relative to it.
package struct PoseGraph: Sendable {
  /// The poses to begin with, from the recording or the tracker.
  package private(set) var worldFromNodes: [RigidTransform]
  /// The measured motions.
  package private(set) var edges: [PoseGraphEdge]

  /// Collects a graph.
  ///
  /// - Precondition: At least one node; every edge joins nodes of the graph.
  package init(worldFromNodes: [RigidTransform], edges: [PoseGraphEdge]) {
    precondition(!worldFromNodes.isEmpty, "a graph without nodes")
    for edge in edges {
      precondition(
        max(edge.a, edge.b) < worldFromNodes.count,
        "an edge from \(edge.a) to \(edge.b) among \(worldFromNodes.count) nodes")
    }
    self.worldFromNodes = worldFromNodes
    self.edges = edges
  }

  /// The nodes without a chain of trusted edges to the first one, ascending.
  ///
  /// A loop alone does not connect: where it is rejected, nothing holds the node. Linear in nodes and edges.
  package var unconnectedNodes: [Int] {
    var parents = Array(worldFromNodes.indices)
    func root(_ node: Int) -> Int {
      var node = node
      while parents[node] != node {
        parents[node] = parents[parents[node]]
        node = parents[node]
      }
      return node
    }
    for edge in edges where edge.kind == .odometry {
      let (a, b) = (root(edge.a), root(edge.b))
      parents[max(a, b)] = min(a, b)
    }
    return worldFromNodes.indices.filter { root($0) != 0 }
  }
}

/// Why a pose graph has no solution.
package enum PoseGraphError: Error, Hashable, Sendable {
  /// Nodes without a chain of trusted edges to the first one: fragments, each to be solved on its own.
  case unconnected(nodes: [Int])
  /// The normal equations are not positive: a covariance is out of all proportion to the others.
  case singular
}

/// The poses that agree best with the motions measured between them.
package struct PoseGraphSolution: Sendable {
  /// The pose of each node with its covariance relative to the first node, which has 0.
  package var worldFromNodes: [PoseEstimate]
  /// The indices of the loop edges that contradict the rest, ascending.
  package var rejectedLoops: [Int]
  /// For each edge, the square of its residual in units of its covariance.
  package var squaredResiduals: [Double]
  /// The sum of the squares over the edges that were kept.
  package var keptSum: Double
  /// The measured numbers above the unknown ones: what `keptSum` is expected to be.
  package var degreesOfFreedom: Int
  /// The steps of the descent.
  package var steps: Int
}
