import PlumblineModel
import PlumblineNumerics

/// The state of a descent: poses, weights of the edges, and the pattern that all its factors share.
struct PoseGraphDescent: Sendable {
  private(set) var worldFromNodes: [RigidTransform]
  /// A factor of each edge's information.
  var weights: [Double]
  /// The steps so far, also those that failed.
  private(set) var steps = 0
  private let edges: [PoseGraphEdge]
  private let pattern: SparseBlockPattern

  init(_ graph: PoseGraph) {
    worldFromNodes = graph.worldFromNodes
    edges = graph.edges
    weights = [Double](repeating: 1, count: edges.count)
    // The first node is fixed and has no row.
    pattern = .eliminating(
      count: graph.worldFromNodes.count - 1,
      pairs: graph.edges.filter { $0.a > 0 && $0.b > 0 }.map { ($0.a - 1, $0.b - 1) })
  }

  /// The squared residuals of some edges, in units of their covariances.
  func squares(of indices: [Int]) -> [Double] {
    indices.map { square(edges[$0], worldFromNodes) }
  }

  private func square(_ edge: PoseGraphEdge, _ poses: [RigidTransform]) -> Double {
    edge.residual(worldFromA: poses[edge.a], worldFromB: poses[edge.b]).square(edge.information)
  }

  private func cost(_ poses: [RigidTransform]) -> Double {
    zip(edges, weights).reduce(0) { $1.1 > 0 ? $0 + $1.1 * square($1.0, poses) : $0 }
  }

  /// Goes on by steps of Levenberg and Marquardt until one lowers the cost by less than 1e-10 of it.
  ///
  /// - Throws: ``PoseGraphError/singular`` where no damping makes the equations positive.
  mutating func descend(maximumSteps: Int) throws(PoseGraphError) {
    guard pattern.count > 0 else { return }
    var damping = MarquardtDamping(1e-6)
    var present = cost(worldFromNodes)
    var (matrix, gradient) = equations()
    for _ in 0..<maximumSteps {
      steps += 1
      guard let factor = matrix.factored(damping: damping.value) else {
        guard damping.value < 1e6 else { throw .singular }
        damping.reject()
        continue
      }
      let step = factor.solve(gradient.map { -$0 })
      let moved = movedBy(step)
      let next = cost(moved)
      let predicted = zip(zip(step, gradient), matrix.diagonalValues).reduce(0.0) {
        $0 + $1.0.0 * (damping.value * $1.1 * $1.0.0 - $1.0.1)
      }
      // Below the rounding of the sum nothing is left to gain.
      guard predicted > 1e-10 * present + 1e-12 else { return }
      guard next < present else {
        // No step, however short, lowers the cost: rounding.
        guard damping.value < 1e8 else { return }
        damping.reject()
        continue
      }
      damping.accept(ratio: (present - next) / predicted)
      worldFromNodes = moved
      present = next
      (matrix, gradient) = equations()
    }
  }

  private func movedBy(_ step: [Double]) -> [RigidTransform] {
    worldFromNodes.indices.map { node in
      guard node > 0 else { return worldFromNodes[0] }
      let base = (node - 1) * 6
      return worldFromNodes[node].moved(
        rotation: SIMD3(step[base], step[base + 1], step[base + 2]),
        translation: SIMD3(step[base + 3], step[base + 4], step[base + 5]))
    }
  }

  /// The normal equations `JᵀΩJ` and the gradient `JᵀΩe`, edges in their order.
  private func equations() -> (SparseBlockMatrix, [Double]) {
    var matrix = SparseBlockMatrix(pattern: pattern)
    var gradient = [Double](repeating: 0, count: pattern.count * 6)
    for (edge, weight) in zip(edges, weights) where weight > 0 {
      let poses = (worldFromNodes[edge.a], worldFromNodes[edge.b])
      let residual = edge.residual(worldFromA: poses.0, worldFromB: poses.1)
      let derivatives = edge.derivatives(worldFromA: poses.0, worldFromB: poses.1)
      let sides = [(edge.a, derivatives.byA), (edge.b, derivatives.byB)].filter { $0.0 > 0 }
      let pull = edge.information * residual.values
      for (node, derivative) in sides {
        for k in 0..<6 {
          for r in 0..<6 {
            gradient[(node - 1) * 6 + k] += weight * derivative[r * 6 + k] * pull[r]
          }
        }
        let weighted = product(edge.information.values, derivative, weight)
        for (other, left) in sides where other >= node {
          matrix.add(transposedProduct(left, weighted), row: other - 1, column: node - 1)
        }
      }
    }
    return (matrix, gradient)
  }

  private func product(_ a: [Double], _ b: [Double], _ weight: Double) -> [Double] {
    var product = [Double](repeating: 0, count: 36)
    for r in 0..<6 {
      for k in 0..<6 {
        let factor = weight * a[r * 6 + k]
        for c in 0..<6 { product[r * 6 + c] += factor * b[k * 6 + c] }
      }
    }
    return product
  }

  private func transposedProduct(_ a: [Double], _ b: [Double]) -> [Double] {
    var product = [Double](repeating: 0, count: 36)
    for k in 0..<6 {
      for r in 0..<6 {
        for c in 0..<6 { product[r * 6 + c] += a[k * 6 + r] * b[k * 6 + c] }
      }
    }
    return product
  }

  /// The covariance of each node relative to the first one, in its own axes.
  func covariances() throws(PoseGraphError) -> [SymmetricMatrix] {
    let first = [SymmetricMatrix(count: 6)]
    guard pattern.count > 0 else { return first }
    guard let factor = equations().0.factored() else { throw .singular }
    return first + factor.inverseDiagonal()
  }
}
