import PlumblineModel
import PlumblineNumerics
import PlumblineSimulation
import Testing

@testable import PlumblineReconstruction

@Suite struct PoseGraphTests {
  @Test("Derivatives of an edge agree with differences", arguments: UInt64(1)...5)
  func differentiates(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let a = random.pose(angle: 1, distance: 3)
    let b = random.pose(angle: 1, distance: 3)
    let measured = PoseEstimate(
      aFromB: a.inverse * b * random.pose(angle: 0.3, distance: 0.2),
      covariance: diagonal([1, 1, 1, 1, 1, 1]))
    let edge = try #require(PoseGraphEdge(a: 0, b: 1, measured: measured, kind: .loop))
    let exact = edge.derivatives(worldFromA: a, worldFromB: b)
    // Central differences of 1e-5 are exact to about 1e-10 of values near 1.
    let step = 1e-5
    for column in 0..<6 {
      var up = [Double](repeating: 0, count: 6)
      up[column] = step
      let down = up.map { -$0 }
      let byA = zip(
        edge.residual(worldFromA: a.moved(up), worldFromB: b).values,
        edge.residual(worldFromA: a.moved(down), worldFromB: b).values)
      let byB = zip(
        edge.residual(worldFromA: a, worldFromB: b.moved(up)).values,
        edge.residual(worldFromA: a, worldFromB: b.moved(down)).values)
      for (row, (high, low)) in byA.enumerated() {
        #expect(abs((high - low) / (2 * step) - exact.byA[row * 6 + column]) < 1e-8)
      }
      for (row, (high, low)) in byB.enumerated() {
        #expect(abs((high - low) / (2 * step) - exact.byB[row * 6 + column]) < 1e-8)
      }
    }
  }

  @Test("A sparse factor solves and inverts as a dense one", arguments: UInt64(1)...4)
  func factorsAsDense(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let count = 9
    var pairs = (1..<count).map { ($0 - 1, $0) }
    for _ in 0..<4 { pairs.append((random.integer(below: count), random.integer(below: count))) }
    pairs.removeAll { $0.0 == $0.1 }
    var sparse = SparseBlockMatrix(pattern: .eliminating(count: count, pairs: pairs))
    var dense = SymmetricMatrix(count: count * 6)
    func add(_ block: [Double], _ row: Int, _ column: Int) {
      sparse.add(block, row: row, column: column)
      for r in 0..<6 {
        for c in 0..<6 {
          dense[row * 6 + r, column * 6 + c] += block[r * 6 + c]
          if row != column { dense[column * 6 + c, row * 6 + r] += block[r * 6 + c] }
        }
      }
    }
    for (a, b) in pairs { add((0..<36).map { _ in random.gaussian() }, a, b) }
    for row in 0..<count { add(diagonal([60, 70, 80, 90, 100, 110]).values, row, row) }
    let right = (0..<(count * 6)).map { _ in random.gaussian() }
    let factor = try #require(sparse.factored())
    let reference = try #require(dense.cholesky)
    // Values near 1/60; a few rounding errors of sums of 54 terms.
    for (a, b) in zip(factor.solve(right), reference.solve(right)) { #expect(abs(a - b) < 1e-13) }
    let inverse = reference.inverse
    for (row, block) in factor.inverseDiagonal().enumerated() {
      let expected = inverse.part(Array((row * 6)..<(row * 6 + 6)))
      for (a, b) in zip(block.values, expected.values) { #expect(abs(a - b) < 1e-13) }
    }
  }

  @Test("Over seeds the errors of a closed path fit their covariances")
  func statesItsError() throws {
    var sum = 0.0
    var shares: [Double] = []
    for seed in UInt64(1)...50 {
      let scan = GraphScan.circle(seed: seed, nodes: 24, falseLoops: 0)
      let solution = try scan.graph.solved()
      #expect(solution.rejectedLoops.count <= 1)
      for node in [6, 12, 18] { sum += try scan.squaredError(solution, node: node) }
      shares.append(solution.keptSum / Double(solution.degreesOfFreedom))
    }
    // The mean of 150 χ² of six degrees, three of a path correlated: 6 ± 0.5 as one deviation.
    #expect(abs(sum / 150 - 6) < 1.5)
    let mean = shares.reduce(0, +) / 50
    #expect(abs(mean - 1) < 0.2)
  }

  @Test("A fifth of false loops is rejected and the path stays true", arguments: UInt64(1)...6)
  func rejectsFalseLoops(seed: UInt64) throws {
    let scan = GraphScan.circle(seed: seed, nodes: 60, falseLoops: 5)
    let solution = try scan.graph.solved()
    #expect(Set(scan.falseEdges).isSubset(of: solution.rejectedLoops))
    // 20 true ones at a limit of 99 %: more than two beyond it are improbable.
    #expect(solution.rejectedLoops.count <= scan.falseEdges.count + 2)
    // 99.99 % of χ² of six degrees is 27.9.
    for node in [15, 30, 45, 59] {
      #expect(try scan.squaredError(solution, node: node) < 30)
    }
  }

  @Test("Along a tunnel the covariance grows and the pose stays at its odometry")
  func keepsUnseenDirections() throws {
    let motion = RigidTransform(rotation: .identity, translation: [0, 0, 0.12])
    let covariance = diagonal([1e-8, 1e-8, 1e-8, 1e-6, 1e-6, 100])
    let edges = (1..<10).compactMap {
      PoseGraphEdge(
        a: $0 - 1, b: $0, measured: PoseEstimate(aFromB: motion, covariance: covariance),
        kind: .odometry)
    }
    var poses = [RigidTransform.identity]
    for _ in 1..<10 { poses.append(poses[poses.count - 1] * motion) }
    let solution = try PoseGraph(worldFromNodes: poses, edges: edges).solved()
    let last = solution.worldFromNodes[9]
    // Nine steps of a variance of 100 m²; relative rounding.
    #expect(abs(last.covariance[5, 5] / 900 - 1) < 1e-6)
    #expect(abs(last.aFromB.translation.z - 1.08) < 1e-9)
  }

  @Test("A graph in pieces names the nodes that hang on nothing")
  func namesUnconnectedNodes() throws {
    let step = PoseEstimate(
      aFromB: .identity, covariance: diagonal([1, 1, 1, 1, 1, 1]))
    let odometry = try #require(PoseGraphEdge(a: 0, b: 1, measured: step, kind: .odometry))
    let loop = try #require(PoseGraphEdge(a: 1, b: 2, measured: step, kind: .loop))
    let graph = PoseGraph(
      worldFromNodes: [.identity, .identity, .identity, .identity], edges: [odometry, loop])
    #expect(throws: PoseGraphError.unconnected(nodes: [2, 3])) { try graph.solved() }
    let singular = PoseEstimate(aFromB: .identity, covariance: SymmetricMatrix(count: 6))
    #expect(PoseGraphEdge(a: 0, b: 1, measured: singular, kind: .loop) == nil)
  }
}
