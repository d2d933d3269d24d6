package import PlumblineModel

/// One way in which a mesh can change shape, such as ARKit's `jawOpen`.
///
/// Unit: meters, in the axes of the mesh, at weight 1. A changed mesh has the positions
/// `p + Σ weight · delta`.
package struct MorphTarget: Sendable {
  /// The name, such as `jawOpen`.
  package let name: String
  /// The vertices that move, rising; `nil` where ``deltas`` has one entry for each vertex.
  package let indices: [UInt32]?
  /// The displacement of each of these vertices; all others stay.
  package let deltas: [PackedPoint]

  /// Creates a target that moves every vertex.
  package init(name: String, deltas: [PackedPoint]) {
    self.name = name
    indices = nil
    self.deltas = deltas
  }

  /// Creates a target that moves some vertices; O(*n*).
  ///
  /// - Throws: `.mismatch` for lists of different lengths, `.outOfRange` for indices that do not
  ///   rise.
  package init(name: String, indices: [UInt32], deltas: [PackedPoint]) throws(MeshError) {
    try MeshError.requireCount(deltas.count, indices.count, "deltas")
    for (index, (one, next)) in zip(indices, indices.dropFirst()).enumerated() where next <= one {
      throw MeshError(
        .outOfRange, at: "indices[\(index + 1)]", expected: "more than \(one)", found: "\(next)")
    }
    self.name = name
    self.indices = indices
    self.deltas = deltas
  }

  /// Whether the target fits a mesh of so many vertices.
  package func fits(vertexCount: Int) -> Bool {
    guard let indices else { return deltas.count == vertexCount }
    return indices.last.map { Int($0) < vertexCount } ?? true
  }

  /// The displacement of each vertex, one entry for each; O(*n*).
  ///
  /// - Precondition: The target fits the number of vertices.
  package func denseDeltas(vertexCount: Int) -> [PackedPoint] {
    precondition(fits(vertexCount: vertexCount), "“\(name)” does not fit \(vertexCount) vertices")
    guard let indices else { return deltas }
    var dense = [PackedPoint](repeating: PackedPoint(x: 0, y: 0, z: 0), count: vertexCount)
    for (index, delta) in zip(indices, deltas) { dense[Int(index)] = delta }
    return dense
  }

  /// The vertices that move by more than 0, rising, and how far; O(*n*).
  package var movedVertices: (indices: [UInt32], deltas: [PackedPoint]) {
    var moved: (indices: [UInt32], deltas: [PackedPoint]) = ([], [])
    for (position, delta) in deltas.enumerated() where delta.x != 0 || delta.y != 0 || delta.z != 0
    {
      moved.indices.append(indices?[position] ?? UInt32(position))
      moved.deltas.append(delta)
    }
    return moved
  }
}

extension TriangleMesh {
  /// The mesh changed by targets, each with its weight, which is usually from 0 to 1; O(*n*).
  ///
  /// Given normals are dropped, since they no longer hold.
  ///
  /// - Precondition: Each target fits the mesh.
  package func morphed(by targets: [(target: MorphTarget, weight: Float)]) -> TriangleMesh {
    var result = self
    for (target, weight) in targets where weight != 0 {
      precondition(
        target.fits(vertexCount: vertexCount),
        "“\(target.name)” does not fit \(vertexCount) vertices")
      for (position, delta) in target.deltas.enumerated() {
        let index = target.indices.map { Int($0[position]) } ?? position
        result.positions[index].x += weight * delta.x
        result.positions[index].y += weight * delta.y
        result.positions[index].z += weight * delta.z
      }
      result.normals = nil
    }
    return result
  }
}
