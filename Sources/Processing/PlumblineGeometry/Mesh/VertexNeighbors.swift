/// The vertices that share an edge with each vertex, one list behind the other.
///
/// Each list is ascending and has no vertex twice.
package struct VertexNeighbors: Sendable, Hashable {
  /// Where each vertex's list starts in ``indices``, and at last their number: one entry more than
  /// there are vertices.
  package let starts: [Int]
  /// All lists.
  package let indices: [UInt32]

  /// The neighbors of one vertex; O(1).
  package subscript(vertex: Int) -> ArraySlice<UInt32> {
    indices[starts[vertex]..<starts[vertex + 1]]
  }

  /// Collects the neighbors of a mesh; O(*n* log *d*) for *d* triangles at one vertex.
  package init(_ mesh: TriangleMesh) {
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
