import PlumblineModel
import PlumblineNumerics
import PlumblineSimulation

@testable import PlumblineReconstruction

/// A closed path with noisy odometry, loops between its two rounds, and its truth.
struct GraphScan {
  let truth: [RigidTransform]
  let graph: PoseGraph
  let falseEdges: [Int]

  /// Two rounds of a circle of 1.5 m; every second node of the second round sees its place of the first.
  static func circle(seed: UInt64, nodes: Int, falseLoops: Int) -> GraphScan {
    var random = SeededGenerator(seed: seed)
    let truth = (0..<nodes).map { node in
      let angle = 4 * Double.pi * Double(node) / Double(nodes)
      let turn = Rotation(axisAngle: [0, angle, 0]) ?? .identity
      return RigidTransform(rotation: turn, translation: turn * SIMD3(0, 0, 1.5))
    }
    let start = truth[0].inverse
    let relative = truth.map { start * $0 }
    let odometry = diagonal([1e-6, 4e-6, 1e-6, 9e-6, 4e-6, 9e-6])
    let loop = diagonal([4e-6, 4e-6, 4e-6, 2e-5, 2e-5, 2e-5])
    var edges: [PoseGraphEdge] = []
    var poses = [RigidTransform.identity]
    func add(_ a: Int, _ b: Int, _ motion: RigidTransform, _ kind: PoseGraphEdge.Kind) {
      let covariance = kind == .loop ? loop : odometry
      // The true motion is the measured one times the error.
      let error = (0..<6).map { covariance[$0, $0].squareRoot() * random.gaussian() }
      let measured = motion * RigidTransform.identity.moved(error).inverse
      if kind == .odometry { poses.append(poses[a] * measured) }
      let estimate = PoseEstimate(aFromB: measured, covariance: covariance)
      if let edge = PoseGraphEdge(a: a, b: b, measured: estimate, kind: kind) { edges.append(edge) }
    }
    for node in 1..<nodes {
      add(node - 1, node, relative[node - 1].inverse * relative[node], .odometry)
    }
    let half = nodes / 2
    let trueLoops = falseLoops == 0 ? half / 2 : 4 * falseLoops
    for index in 0..<trueLoops {
      let node = index * half / trueLoops
      add(node, node + half, relative[node].inverse * relative[node + half], .loop)
    }
    var falseEdges: [Int] = []
    for _ in 0..<falseLoops {
      falseEdges.append(edges.count)
      let a = random.integer(below: half)
      add(a, half + random.integer(below: half), random.pose(angle: 0.5, distance: 1), .loop)
    }
    return GraphScan(
      truth: relative, graph: PoseGraph(worldFromNodes: poses, edges: edges),
      falseEdges: falseEdges)
  }

  /// The squared error of a node in units of its covariance: χ² of six degrees where both are right.
  func squaredError(_ solution: PoseGraphSolution, node: Int) throws -> Double {
    let estimate = solution.worldFromNodes[node]
    let error = PoseResidual(estimate.aFromB.inverse * truth[node])
    guard let information = estimate.covariance.scaledInverse else {
      throw PoseGraphError.singular
    }
    return error.square(information)
  }
}

/// A matrix of zeros but for its diagonal.
func diagonal(_ values: [Double]) -> SymmetricMatrix {
  var matrix = SymmetricMatrix(count: values.count)
  for (index, value) in values.enumerated() { matrix[index, index] = value }
  return matrix
}

extension RigidTransform {
  /// The transform after a motion of a rotation vector and a translation in its own axes.
  func moved(_ values: [Double]) -> RigidTransform {
    moved(
      rotation: SIMD3(values[0], values[1], values[2]),
      translation: SIMD3(values[3], values[4], values[5]))
  }
}

extension SeededGenerator {
  /// A pose of normal rotation vector and translation.
  mutating func pose(angle: Double, distance: Double) -> RigidTransform {
    let values = (0..<6).map { ($0 < 3 ? angle : distance) * gaussian() }
    return RigidTransform.identity.moved(values)
  }
}
