import PlumblineModel

/// How the triangles of a mesh hang together: whether it is closed, of one side, of how many parts.
package struct MeshTopology: Sendable, Hashable {
  /// The vertices that some triangle has.
  package var vertexCount = 0
  /// The vertices of no triangle.
  package var looseVertexCount = 0
  /// The edges, each counted once.
  package var edgeCount = 0
  /// The triangles.
  package var triangleCount = 0
  /// Edges of one triangle.
  package var borderEdgeCount = 0
  /// The length of these together, in meters.
  package var borderMeters = 0.0
  /// Edges of three triangles or more.
  package var crowdedEdgeCount = 0
  /// Edges whose two triangles disagree which side is outside.
  package var turnedEdgeCount = 0
  /// Vertices where two or more fans of triangles meet that share no edge there.
  package var pinchedVertexCount = 0
  /// Triangles without area.
  package var flatTriangleCount = 0
  /// Triangles with the same corners as an earlier one, in whichever order.
  package var duplicateTriangleCount = 0
  /// The parts that share no vertex.
  package var componentCount = 0

  /// V − E + F: 2 for each closed part without handles, 0 for a torus, 1 for a disc.
  package var eulerNumber: Int { vertexCount - edgeCount + triangleCount }
  /// Whether every edge and vertex is that of a surface, with a border or without.
  package var isManifold: Bool { crowdedEdgeCount == 0 && pinchedVertexCount == 0 }
  /// Whether it encloses a volume: manifold, without a border, all triangles facing out or all in.
  package var isWatertight: Bool {
    triangleCount > 0 && isManifold && borderEdgeCount == 0 && turnedEdgeCount == 0
  }
  /// The sum of the genera (handles) of all parts; `nil` for what is not watertight.
  package var genus: Int? { isWatertight ? componentCount - eulerNumber / 2 : nil }
}

extension TriangleMesh {
  /// Counts what there is of borders, parts and faults.
  ///
  /// - Complexity: O(*n*) for a bounded number of triangles at a vertex.
  package var topology: MeshTopology {
    let edges = MeshEdges(self)
    var counts = MeshTopology()
    counts.triangleCount = triangles.count
    counts.edgeCount = edges.count
    for edge in 0..<edges.count {
      switch edges.kind(of: edge) {
      case .border:
        counts.borderEdgeCount += 1
        let side = edges.halfEdges[Int(edges.starts[edge])]
        let ends = [edges.origin(side), edges.end(side)].map { positions[Int($0)].vector }
        let along = ends[1] - ends[0]
        counts.borderMeters += (along * along).sum().squareRoot()
      case .inner: break
      case .turned: counts.turnedEdgeCount += 1
      case .crowded: counts.crowdedEdgeCount += 1
      }
    }
    let fans = edges.fanCounts(vertexCount: vertexCount)
    counts.looseVertexCount = fans.count { $0 == 0 }
    counts.pinchedVertexCount = fans.count { $0 > 1 }
    counts.vertexCount = vertexCount - counts.looseVertexCount
    counts.flatTriangleCount = triangles.count { area(of: $0) == 0 }
    counts.duplicateTriangleCount = repeatedTriangles.count
    counts.componentCount = MeshComponents.find(in: self).count
    return counts
  }

  /// The triangles with the corners of an earlier one in whichever order, rising; O(*n*).
  var repeatedTriangles: [Int] {
    var seen: Set<TriangleIndices> = []
    seen.reserveCapacity(triangles.count)
    return triangles.indices.filter { !seen.insert(triangles[$0].ascending).inserted }
  }
}

extension TriangleIndices {
  /// The corners in rising order.
  var ascending: TriangleIndices {
    let (low, high) = (min(first, min(second, third)), maximum)
    return TriangleIndices(low, first ^ second ^ third ^ low ^ high, high)
  }
}

extension MeshEdges {
  /// How many fans of triangles each vertex has: those that hang together by edges at the vertex; O(*n*).
  ///
  /// An edge that three triangles share joins all of them.
  func fanCounts(vertexCount: Int) -> [Int32] {
    // Triangles at a vertex, less the joints between them: what is left after union by edges.
    var joined = DisjointSets(count: corners.count)
    var fans = [Int32](repeating: 0, count: vertexCount)
    for vertex in corners { fans[Int(vertex)] += 1 }
    func join(_ one: UInt32, _ other: UInt32) {
      if joined.join(one, other) { fans[Int(corners[Int(one)])] -= 1 }
    }
    for edge in 0..<count {
      let first = halfEdges[Int(starts[edge])]
      for other in self[edge].dropFirst() {
        // Corners at the same vertex: origin with origin where both run the same way.
        let isSame = origin(first) == origin(other)
        join(first, isSame ? other : Self.next(other))
        join(Self.next(first), isSame ? Self.next(other) : other)
      }
    }
    return fans
  }
}
