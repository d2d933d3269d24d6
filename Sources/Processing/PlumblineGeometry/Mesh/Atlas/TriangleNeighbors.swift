/// For each edge of each triangle the triangle on its other side.
struct TriangleNeighbors: Sendable {
  /// Three half-edges for each triangle: those beyond the edges from corner 0 to 1, 1 to 2 and 2 to 0; −1
  /// for an edge with no other triangle, or with more than one.
  private let twins: [Int32]

  private init(twins: [Int32]) { self.twins = twins }

  /// Finds the neighbors of a mesh; O(*n*).
  static func of(_ mesh: TriangleMesh) -> TriangleNeighbors {
    TriangleNeighbors(twins: MeshEdges(mesh).twins(vertexCount: mesh.vertexCount).twins)
  }

  /// The triangle beyond an edge; `nil` where there is none.
  func across(_ triangle: Int, edge: Int) -> Int? {
    let twin = twins[3 * triangle + edge]
    return twin < 0 ? nil : Int(twin) / 3
  }
}
