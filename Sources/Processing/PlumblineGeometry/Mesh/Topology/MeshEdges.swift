/// The edges of a mesh, each with the triangles that have it.
///
/// A half-edge is one side of a triangle: number `3·t + c` goes from corner *c* of triangle *t* to its next
/// corner. An edge is all half-edges between the same two vertices, whatever their directions.
package struct MeshEdges: Sendable {
  /// The corners of all triangles, three for each.
  let corners: [UInt32]
  /// The half-edges, one edge behind the other: by their lower vertex, then by the other, then by number.
  package let halfEdges: [UInt32]
  /// Where each edge starts in ``halfEdges``, and at last their number: one entry more than edges.
  package let starts: [UInt32]

  /// The number of edges.
  package var count: Int { starts.count - 1 }

  /// The half-edges of one edge; O(1).
  package subscript(edge: Int) -> ArraySlice<UInt32> {
    halfEdges[Int(starts[edge])..<Int(starts[edge + 1])]
  }

  /// Where a half-edge starts.
  package func origin(_ halfEdge: UInt32) -> UInt32 { corners[Int(halfEdge)] }

  /// Where a half-edge ends.
  package func end(_ halfEdge: UInt32) -> UInt32 { corners[Int(Self.next(halfEdge))] }

  /// The vertex of a half-edge's triangle that it does not touch.
  package func opposite(_ halfEdge: UInt32) -> UInt32 {
    corners[Int(Self.next(Self.next(halfEdge)))]
  }

  /// The following half-edge of the same triangle.
  package static func next(_ halfEdge: UInt32) -> UInt32 {
    halfEdge % 3 == 2 ? halfEdge - 2 : halfEdge + 1
  }

  /// What the triangles at an edge make of it.
  package enum Kind: Sendable, Hashable {
    /// One triangle: the surface ends there.
    case border
    /// Two triangles that agree which side is outside.
    case inner
    /// Two triangles that disagree.
    case turned
    /// Three triangles or more.
    case crowded
  }

  /// The kind of an edge; O(1).
  package func kind(of edge: Int) -> Kind {
    let first = Int(starts[edge])
    switch Int(starts[edge + 1]) - first {
    case 1: return .border
    case 2:
      return origin(halfEdges[first]) == origin(halfEdges[first + 1]) ? .turned : .inner
    default: return .crowded
    }
  }

  /// Collects the edges of a mesh; O(*n*) for a bounded number of triangles at a vertex.
  package init(_ mesh: TriangleMesh) {
    self.init(triangles: mesh.triangles, vertexCount: mesh.vertexCount)
  }

  /// Collects the edges of triangles.
  ///
  /// - Precondition: Their corners are below the number of vertices; at most 2³¹ − 1 triangles.
  init(triangles: [TriangleIndices], vertexCount: Int) {
    var corners = [UInt32](repeating: 0, count: 3 * triangles.count)
    for (index, triangle) in triangles.enumerated() {
      corners[3 * index] = triangle.first
      corners[3 * index + 1] = triangle.second
      corners[3 * index + 2] = triangle.third
    }
    // Counted by lower vertex first; then each vertex's few are sorted by the other one.
    var places = [Int](repeating: 0, count: vertexCount + 1)
    for half in corners.indices {
      let other = corners[half % 3 == 2 ? half - 2 : half + 1]
      places[Int(min(corners[half], other)) + 1] += 1
    }
    for vertex in 0..<vertexCount { places[vertex + 1] += places[vertex] }
    var sorted = [UInt64](repeating: 0, count: corners.count)
    var next = places
    for half in corners.indices {
      let other = corners[half % 3 == 2 ? half - 2 : half + 1]
      let lower = Int(min(corners[half], other))
      sorted[next[lower]] = UInt64(max(corners[half], other)) << 32 | UInt64(half)
      next[lower] += 1
    }
    var starts: [UInt32] = []
    starts.reserveCapacity(corners.count / 2 + 2)
    for vertex in 0..<vertexCount {
      let (first, end) = (places[vertex], places[vertex + 1])
      Self.sort(&sorted, from: first, to: end)
      for place in first..<end
      where place == first || sorted[place] >> 32 != sorted[place - 1] >> 32 {
        starts.append(UInt32(place))
      }
    }
    starts.append(UInt32(corners.count))
    self.starts = starts
    halfEdges = sorted.map { UInt32(truncatingIfNeeded: $0) }
    self.corners = corners
  }

  /// Sorts a part of a list: by insertion where it is short, as at nearly every vertex.
  private static func sort(_ list: inout [UInt64], from first: Int, to end: Int) {
    guard end - first <= 24 else { return list[first..<end].sort() }
    for place in first..<end {
      let value = list[place]
      var hole = place
      while hole > first, list[hole - 1] > value {
        list[hole] = list[hole - 1]
        hole -= 1
      }
      list[hole] = value
    }
  }
}
