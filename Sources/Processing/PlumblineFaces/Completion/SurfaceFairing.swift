import PlumblineGeometry

/// Lays vertices of a mesh onto the surface that bends least and lies near given points.
///
/// The bending is that of a thin plate, by the cotangent Laplacian of the mesh itself. Vertices that stay, such as those
/// of a surface that goes on beyond a border, take part with their neighbors, so that the slope goes on as well.
///
/// - Source: P. Liepa, *Filling holes in meshes*, SGP 2003; M. Botsch, L. Kobbelt, *An intuitive framework for
///   real-time freeform modeling*, SIGGRAPH 2004.
struct SurfaceFairing {
  /// The triangles, also those that join the vertices that stay.
  let triangles: [TriangleIndices]
  /// The vertices that move.
  let free: Range<Int>
  /// For each vertex whether the surface is smooth there.
  let isSmooth: [Bool]
  /// Over which length the surface leaves what it is pulled to, meters.
  let reach: Double

  /// The limits of a cotangent: of slivers it has none.
  private static let cotangents = 0.05...8.0
  /// The maximum number of steps of the solver, and the share of the start's residual at which it stops.
  private static let (maximumSteps, tolerance) = (600, 1e-5)

  /// The positions after one solution, by conjugate gradients; O(steps · *n*).
  ///
  /// - Parameters:
  ///   - positions: All vertices, meters; the cotangents are theirs.
  ///   - targets: For each free vertex the point that it is pulled to.
  ///   - pulls: For each free vertex how much, from 0 to 1.
  /// - Returns: All vertices, of which the free ones have moved.
  func faired(
    _ positions: [SIMD3<Double>], toward targets: [SIMD3<Double>], pulls: [Double]
  ) -> [SIMD3<Double>] {
    let laplacian = MeshLaplacian(positions, triangles, cotangents: Self.cotangents)
    let bend = positions.indices.map { isSmooth[$0] ? 1 / max(laplacian.areas[$0], 1e-8) : 0 }
    let square = reach * reach
    let hold = free.map { laplacian.areas[$0] * pulls[$0 - free.lowerBound] / (square * square) }
    func applied(_ points: [SIMD3<Double>]) -> [SIMD3<Double>] {
      var bent = laplacian.applied(to: points)
      for index in bent.indices { bent[index] *= bend[index] }
      return laplacian.applied(to: bent)
    }
    // What is left at the start: the forces of bending and of the points.
    var positions = positions
    let start = applied(positions)
    var residual = free.map { vertex -> SIMD3<Double> in
      let index = vertex - free.lowerBound
      return (targets[index] - positions[vertex]) * hold[index] - start[vertex]
    }
    let diagonal = laplacian.squaredDiagonal(weights: bend)
    let scales = free.map { 1 / max(diagonal[$0] + hold[$0 - free.lowerBound], 1e-30) }
    var scaled = zip(residual, scales).map { $0 * $1 }
    var direction = [SIMD3<Double>](repeating: .zero, count: positions.count)
    for index in scaled.indices { direction[free.lowerBound + index] = scaled[index] }
    func product(_ first: [SIMD3<Double>], _ second: ArraySlice<SIMD3<Double>>) -> SIMD3<Double> {
      zip(first, second).reduce(SIMD3<Double>.zero) { $0 + $1.0 * $1.1 }
    }
    var force = product(residual, scaled[...])
    let enough = force * (Self.tolerance * Self.tolerance)
    for _ in 0..<Self.maximumSteps {
      guard (0..<3).contains(where: { force[$0] > enough[$0] }) else { break }
      var image = applied(direction)
      for vertex in free { image[vertex] += direction[vertex] * hold[vertex - free.lowerBound] }
      let curvature = product(Array(direction[free]), image[free])
      let step = force.divided(by: curvature)
      for vertex in free {
        positions[vertex] += step * direction[vertex]
        residual[vertex - free.lowerBound] -= step * image[vertex]
      }
      scaled = zip(residual, scales).map { $0 * $1 }
      let next = product(residual, scaled[...])
      let share = next.divided(by: force)
      force = next
      for vertex in free {
        direction[vertex] = scaled[vertex - free.lowerBound] + share * direction[vertex]
      }
    }
    return positions
  }
}

/// The cotangent Laplacian of a mesh, and the area of each vertex.
private struct MeshLaplacian {
  private var neighbors: [[(vertex: Int, weight: Double)]]
  private(set) var areas: [Double]

  init(
    _ positions: [SIMD3<Double>], _ triangles: [TriangleIndices],
    cotangents: ClosedRange<Double>
  ) {
    neighbors = Array(repeating: [], count: positions.count)
    areas = Array(repeating: 0, count: positions.count)
    for triangle in triangles {
      for corner in 0..<3 {
        let (a, b, c) = (
          triangle[corner], triangle[(corner + 1) % 3], triangle[(corner + 2) % 3]
        )
        let (first, second) = (positions[a] - positions[c], positions[b] - positions[c])
        let twice = max(first.crossed(second).norm, 1e-12)
        let cotangent = (first * second).sum() / twice
        let weight = min(cotangents.upperBound, max(cotangents.lowerBound, cotangent)) / 2
        add(weight, a, b)
        add(weight, b, a)
        areas[a] += twice / 6
      }
    }
  }

  private mutating func add(_ weight: Double, _ from: Int, _ to: Int) {
    if let known = neighbors[from].firstIndex(where: { $0.vertex == to }) {
      neighbors[from][known].weight += weight
    } else {
      neighbors[from].append((to, weight))
    }
  }

  func applied(to points: [SIMD3<Double>]) -> [SIMD3<Double>] {
    points.indices.map { vertex in
      neighbors[vertex].reduce(SIMD3<Double>.zero) { sum, neighbor in
        sum + (points[vertex] - points[neighbor.vertex]) * neighbor.weight
      }
    }
  }

  /// The diagonal of the Laplacian times weights times the Laplacian.
  func squaredDiagonal(weights: [Double]) -> [Double] {
    neighbors.indices.map { vertex in
      let own = neighbors[vertex].reduce(0) { $0 + $1.weight }
      return neighbors[vertex].reduce(own * own * weights[vertex]) {
        $0 + $1.weight * $1.weight * weights[$1.vertex]
      }
    }
  }
}

extension SIMD3<Double> {
  /// The quotients of the components; 0 where the divisor is 0.
  fileprivate func divided(by other: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3((0..<3).map { other[$0] != 0 ? self[$0] / other[$0] : 0 })
  }
}
