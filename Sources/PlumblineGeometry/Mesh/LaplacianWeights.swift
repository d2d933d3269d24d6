import PlumblineModel

/// How much each neighbor of a vertex counts when values on a mesh are smoothed.
///
/// The Laplacian of values *f* at vertex *i* is `Σ w · (f(j) − f(i))` over its neighbors *j*.
public struct LaplacianWeights: Sendable {
  /// The neighbors of each vertex.
  public let neighbors: VertexNeighbors
  /// One weight for each entry of the neighbors' list; the same seen from both ends where cotangent.
  public let weights: [Double]

  /// Weights of 1 / (number of neighbors): each vertex is compared with the mean of its neighbors.
  public static func uniform(_ mesh: TriangleMesh) -> LaplacianWeights {
    let neighbors = VertexNeighbors(mesh)
    var weights: [Double] = []
    weights.reserveCapacity(neighbors.indices.count)
    for vertex in 0..<mesh.vertexCount {
      let count = neighbors[vertex].count
      weights += Array(repeating: 1 / Double(count), count: count)
    }
    return LaplacianWeights(neighbors: neighbors, weights: weights)
  }

  /// Weights of `(cot α + cot β) / 2` for the two angles that face an edge, one at a rim.
  ///
  /// They do not depend on how a surface is cut into triangles: values that are linear on a plane
  /// have the Laplacian 0 away from the rim. Each weight is held within `range`, since slivers have cotangents of any
  /// size and obtuse angles pull the wrong way, which a linear solver cannot stand; within it the
  /// statement holds exactly, beyond it nearly.
  ///
  /// - Source: M. Meyer, M. Desbrun, P. Schröder, A. H. Barr, *Discrete differential-geometry
  ///   operators for triangulated 2-manifolds*, 2003, equation 8 without its area.
  /// - Parameters:
  ///   - mesh: The surface.
  ///   - range: What weights are held within; the default lets angles from 0.6° count in full and
  ///     no neighbor push.
  /// - Returns: One weight for each neighbor.
  /// - Complexity: O(*n* log *d*) for *d* triangles at one vertex.
  public static func cotangent(
    _ mesh: TriangleMesh, clampedTo range: ClosedRange<Double> = 0...100
  ) -> LaplacianWeights {
    let neighbors = VertexNeighbors(mesh)
    var weights = [Double](repeating: 0, count: neighbors.indices.count)
    for triangle in mesh.triangles {
      for corner in 0..<3 {
        let (a, b) = (triangle[(corner + 1) % 3], triangle[(corner + 2) % 3])
        let apex = mesh.positions[triangle[corner]].vector
        let toA = mesh.positions[a].vector - apex
        let toB = mesh.positions[b].vector - apex
        let normal = cross(toA, toB)
        let length = (normal * normal).sum().squareRoot()
        // A triangle without area has no angles to speak of and says nothing about its edges.
        guard length > 0 else { continue }
        let half = (toA * toB).sum() / length / 2
        weights[neighbors.place(of: b, at: a)] += half
        weights[neighbors.place(of: a, at: b)] += half
      }
    }
    for index in weights.indices {
      weights[index] = min(max(weights[index], range.lowerBound), range.upperBound)
    }
    return LaplacianWeights(neighbors: neighbors, weights: weights)
  }

  /// The Laplacian of values, one for each vertex, in their unit; O(*n*).
  ///
  /// - Precondition: There is one value for each vertex.
  public func laplacian(of values: [SIMD3<Double>]) -> [SIMD3<Double>] {
    precondition(values.count + 1 == neighbors.starts.count, "\(values.count) values")
    return values.indices.map { vertex in
      var sum = SIMD3<Double>.zero
      for place in neighbors.starts[vertex]..<neighbors.starts[vertex + 1] {
        sum += weights[place] * (values[Int(neighbors.indices[place])] - values[vertex])
      }
      return sum
    }
  }
}

extension VertexNeighbors {
  /// Where a neighbor stands in the list of a vertex; O(log *d*).
  ///
  /// - Precondition: It is a neighbor.
  func place(of neighbor: Int, at vertex: Int) -> Int {
    var (low, high) = (starts[vertex], starts[vertex + 1])
    while high - low > 1 {
      let middle = (low + high) / 2
      if Int(indices[middle]) <= neighbor { low = middle } else { high = middle }
    }
    precondition(Int(indices[low]) == neighbor, "\(neighbor) is no neighbor of \(vertex)")
    return low
  }
}

/// The vertices that share an edge with each vertex, one list behind the other.
///
/// Each list is ascending and has no vertex twice.
public struct VertexNeighbors: Sendable, Hashable {
  /// Where each vertex's list starts in ``indices``, and at last their number: one entry more than
  /// there are vertices.
  public let starts: [Int]
  /// All lists.
  public let indices: [UInt32]

  /// The neighbors of one vertex; O(1).
  public subscript(vertex: Int) -> ArraySlice<UInt32> {
    indices[starts[vertex]..<starts[vertex + 1]]
  }

  /// Collects the neighbors of a mesh; O(*n* log *d*) for *d* triangles at one vertex.
  public init(_ mesh: TriangleMesh) {
    // Counted first, so that every vertex has room for both neighbors in each of its triangles.
    var places = [Int](repeating: 0, count: mesh.vertexCount + 1)
    for triangle in mesh.triangles {
      for corner in 0..<3 { places[triangle[corner] + 1] += 2 }
    }
    for vertex in 0..<mesh.vertexCount { places[vertex + 1] += places[vertex] }
    var slots = [UInt32](repeating: 0, count: 6 * mesh.triangles.count)
    var next = places
    for triangle in mesh.triangles {
      let corners = [triangle.first, triangle.second, triangle.third]
      for corner in 0..<3 {
        let vertex = triangle[corner]
        slots[next[vertex]] = corners[(corner + 1) % 3]
        slots[next[vertex] + 1] = corners[(corner + 2) % 3]
        next[vertex] += 2
      }
    }
    var starts = [0]
    starts.reserveCapacity(mesh.vertexCount + 1)
    var indices: [UInt32] = []
    indices.reserveCapacity(3 * mesh.triangles.count)
    for vertex in 0..<mesh.vertexCount {
      slots[places[vertex]..<places[vertex + 1]].sort()
      for neighbor in slots[places[vertex]..<places[vertex + 1]]
      where indices.count == starts[vertex] || indices[indices.count - 1] != neighbor {
        indices.append(neighbor)
      }
      starts.append(indices.count)
    }
    self.starts = starts
    self.indices = indices
  }
}
