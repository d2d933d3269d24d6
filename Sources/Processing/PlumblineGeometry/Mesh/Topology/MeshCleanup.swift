import PlumblineModel

/// What a cleanup of a mesh removes.
///
/// Nothing moves, and no hole opens: what goes has no area, or is there twice.
package struct MeshCleanup: Sendable, Hashable {
  /// Whether vertices at the very same position become one, the first of them, as files without indices
  /// (STL) need.
  ///
  /// Attributes are those of the first. A texture's seams do not need it: coordinates have their own indices.
  package var mergesEqualPositions = true

  /// Creates the settings.
  package init(mergesEqualPositions: Bool = true) {
    self.mergesEqualPositions = mergesEqualPositions
  }

  /// Merges equal positions and removes triangles of fewer than three vertices, triangles with the corners of
  /// an earlier one, and vertices of no triangle.
  ///
  /// A triangle without area between three different vertices stays: without it the surface would have a
  /// slit. Simplification removes it.
  ///
  /// - Parameter mesh: Any mesh.
  /// - Returns: The mesh, in its order. Cost: O(*n*).
  package func clean(_ mesh: TriangleMesh) -> TriangleMesh {
    let merged = mergesEqualPositions ? Self.firstVertices(of: mesh.positions) : nil
    var seen: Set<TriangleIndices> = []
    seen.reserveCapacity(mesh.triangles.count)
    var places: [Int] = []
    var corners: [TriangleIndices] = []
    for (place, triangle) in mesh.triangles.enumerated() {
      let triangle = merged.map { triangle.renumbered(by: $0) } ?? triangle
      if !triangle.repeatsCorner, seen.insert(triangle.ascending).inserted {
        places.append(place)
        corners.append(triangle)
      }
    }
    let whole = TriangleMesh(
      verticesOf: mesh, vertices: Array(0..<mesh.vertexCount), triangles: corners,
      texture: mesh.texture?.keeping(triangles: places))
    return whole.keeping(triangles: Array(corners.indices))
  }

  /// For each position the first vertex at the same one; −0 is 0.
  ///
  /// O(*n*).
  private static func firstVertices(of positions: [PackedPoint]) -> [UInt32] {
    var first: [PackedPoint: UInt32] = [:]
    first.reserveCapacity(positions.count)
    return positions.enumerated().map { index, point in
      // Hashing by value takes −0 and 0 as equal.
      if let found = first[point] { return found }
      first[point] = UInt32(index)
      return UInt32(index)
    }
  }
}
