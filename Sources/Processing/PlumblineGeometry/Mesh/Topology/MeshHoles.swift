import PlumblineModel

/// Closes holes of a mesh, and marks what it thereby invents.
///
/// A hole is a loop of border edges. It is closed by the triangles of least area between its vertices, and
/// each of these is divided at its middle by a new vertex that is marked: no triangle of a closed hole is
/// without an invented corner, and no measured vertex is marked or moved.
/// - Source: G. Barequet, M. Sharir, *Filling gaps in the boundary of a polyhedron*, 1995.
package struct MeshHoles: Sendable, Hashable {
  /// Holes of more edges stay open; the time grows with the cube of their number.
  package var mostEdges: Int
  /// Holes with a longer way around them stay open, in meters: the outer border of a surface, for one.
  package var longestPerimeterMeters: Double

  /// Creates the settings.
  ///
  /// - Precondition: The number is at most 1,000; the length is at least 0.
  package init(mostEdges: Int = 200, longestPerimeterMeters: Double = .infinity) {
    precondition(
      (0...1_000).contains(mostEdges) && longestPerimeterMeters >= 0,
      "holes of \(mostEdges) edges and \(longestPerimeterMeters) m")
    self.mostEdges = mostEdges
    self.longestPerimeterMeters = longestPerimeterMeters
  }

  /// A mesh with closed holes.
  package struct Result: Sendable {
    /// The mesh; its texture is dropped where holes were closed.
    package var mesh: TriangleMesh
    /// The holes that were closed.
    package var closedCount: Int
    /// The holes that were too large, or whose triangles would have shared an edge with others.
    package var openCount: Int
  }

  /// Closes the holes of a mesh.
  ///
  /// New vertices have the mean color of the three that they lie between, and neither σ nor residual (NaN):
  /// nothing was measured there.
  ///
  /// - Parameter mesh: Any mesh; its vertices and triangles stay as they are, new ones follow.
  /// - Returns: The mesh. Cost: O(*n*) and the cube of each hole's edges.
  package func close(_ mesh: TriangleMesh) -> Result {
    let edges = MeshEdges(mesh)
    var taken = Set((0..<edges.count).map { edges.key(of: $0) })
    var fill: [TriangleIndices] = []
    var (closed, open) = (0, 0)
    for loop in edges.borderLoops {
      let points = loop.map { mesh.positions[Int($0)].vector }
      let perimeter = points.indices.reduce(0) {
        $0 + (points[($1 + 1) % points.count] - points[$1]).length
      }
      guard loop.count <= mostEdges, perimeter <= longestPerimeterMeters,
        let places = LeastAreaTriangulation.triangulate(points),
        let inner = Self.innerEdges(places, of: loop), taken.isDisjoint(with: inner)
      else {
        open += 1
        continue
      }
      taken.formUnion(inner)
      closed += 1
      fill += places.map { TriangleIndices(loop[$0.x], loop[$0.y], loop[$0.z]) }
    }
    return Result(
      mesh: fill.isEmpty ? mesh : mesh.adding(invented: fill), closedCount: closed, openCount: open)
  }

  /// The edges of a loop's triangles that are no edges of the loop; `nil` where one is there twice over.
  private static func innerEdges(_ triangles: [SIMD3<Int>], of loop: [UInt32]) -> Set<UInt64>? {
    var counts: [UInt64: Int] = [:]
    for triangle in triangles {
      for corner in 0..<3 {
        let (i, j) = (triangle[corner], triangle[(corner + 1) % 3])
        let isSide = (i + 1) % loop.count == j || (j + 1) % loop.count == i
        if !isSide { counts[MeshEdges.key(loop[i], loop[j]), default: 0] += 1 }
      }
    }
    return counts.values.allSatisfy { $0 == 2 } ? Set(counts.keys) : nil
  }
}

extension MeshEdges {
  /// Both vertices of an edge as one number.
  static func key(_ one: UInt32, _ other: UInt32) -> UInt64 {
    UInt64(min(one, other)) << 32 | UInt64(max(one, other))
  }

  func key(of edge: Int) -> UInt64 {
    let half = halfEdges[Int(starts[edge])]
    return Self.key(origin(half), end(half))
  }

  /// The loops of border edges, by their lowest ones.
  ///
  /// A triangle with vertices of a loop in its order faces as the surface does. Loops that share a vertex are
  /// left out.
  package var borderLoops: [[UInt32]] {
    var following: [UInt32: UInt32] = [:]
    var shared: Set<UInt32> = []
    var order: [UInt32] = []
    for edge in 0..<count where kind(of: edge) == .border {
      let half = halfEdges[Int(starts[edge])]
      // Against the direction of the triangle that is there.
      if following.updateValue(origin(half), forKey: end(half)) != nil { shared.insert(end(half)) }
      order.append(end(half))
    }
    var loops: [[UInt32]] = []
    var isDone: Set<UInt32> = []
    for start in order where !isDone.contains(start) {
      var loop: [UInt32] = []
      var vertex = start
      while !isDone.contains(vertex), let next = following[vertex] {
        isDone.insert(vertex)
        loop.append(vertex)
        vertex = next
      }
      if vertex == start, loop.count > 2, shared.isDisjoint(with: loop) { loops.append(loop) }
    }
    return loops
  }
}
