/// Makes a mesh of fewer triangles that lies where the first one did, by collapsing edges.
///
/// The edge whose collapse moves the surface least goes first. No triangle turns over, the number of parts,
/// borders and handles stays, and borders keep their course. Vertices where a surface is no manifold never
/// move.
/// - Source: M. Garland, P. Heckbert, *Surface simplification using quadric error metrics*, 1997, weighted
///   by area; T. Dey et al., *Topology preserving edge contraction*, 1999, for the condition on neighbors.
package struct MeshSimplification: Sendable, Hashable {
  /// Collapsing ends at this number of triangles, or one less; at more where no edge is left that may go.
  package var triangleCount: Int
  /// The limit of the error of a vertex, in meters; `nil` for none.
  ///
  /// It is the root of the mean square of its distances from the planes of all triangles that it stands for,
  /// weighted by area.
  package var errorMeters: Double?
  /// How many times its area a triangle at the border counts against a movement across the border.
  package var borderWeight = 10.0
  /// How many meters of error count as much as the difference of black and white; 0 where color is merely
  /// interpolated.
  package var colorMeters = 0.0

  /// What an edge's length adds to its cost, as a share of its square: 0.3 µm of error for a millimeter,
  /// so that on planes, where nothing costs anything, short edges go first and triangles stay round.
  static let lengthShare = 1e-7

  /// Creates the settings.
  ///
  /// - Precondition: The count is at least 0, the others are at least 0 and not NaN.
  package init(
    triangleCount: Int = 0, errorMeters: Double? = nil, borderWeight: Double = 10,
    colorMeters: Double = 0
  ) {
    precondition(triangleCount >= 0, "simplification to \(triangleCount) triangles")
    precondition(
      errorMeters ?? 0 >= 0 && borderWeight >= 0 && colorMeters >= 0,
      "an error of \(errorMeters ?? 0) m, weights \(borderWeight) and \(colorMeters)")
    self.triangleCount = triangleCount
    self.errorMeters = errorMeters
    self.borderWeight = borderWeight
    self.colorMeters = colorMeters
  }

  /// A simplified mesh, or the mesh itself without loose vertices where it has few enough triangles.
  ///
  /// Colors, normals, σ and residuals are interpolated along the collapsed edges; a vertex is invented where
  /// one of those it stands for is. σ is not lowered although several vertices became one: it is that of a
  /// place on the surface.
  ///
  /// - Parameters:
  ///   - mesh: Any mesh. The texture of a mesh that changes is dropped, vertices of no triangle too.
  ///   - threads: For the first costs; the result does not depend on it.
  /// - Returns: The mesh; what is left of vertices and triangles is in their order. Cost: O(*n* log *n*), 300
  ///   bytes a vertex.
  package func simplify(_ mesh: TriangleMesh, threads: Int = 1) -> TriangleMesh {
    guard mesh.triangles.count > triangleCount else {
      return mesh.keeping(triangles: mesh.triangles.indices.map { $0 })
    }
    let edges = MeshEdges(mesh)
    let state = CollapsingMesh(mesh, edges: edges, settings: self)
    defer { state.deallocate() }
    var left = mesh.triangles.count
    // Edges that might not go are tried again once others have gone.
    for round in 0..<4 {
      var queue = CollapseQueue(
        round == 0 ? state.entries(of: edges, threads: threads) : state.entries())
      defer { queue.deallocate() }
      let before = left
      while left > triangleCount, let entry = queue.pop() {
        guard state.isCurrent(entry) else { continue }
        left -= state.collapse(entry, &queue)
      }
      guard left > triangleCount, before - left > before / 100 else { break }
    }
    return state.mesh(from: mesh)
  }
}
