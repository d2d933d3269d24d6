package import PlumblineModel

/// A mesh whose corners have one index for everything, as graphics processors and glTF want it.
///
/// A vertex on a seam of the texture becomes one vertex for each of its texture coordinates, at the
/// same position.
package struct SingleIndexMesh: Sendable {
  /// For each vertex its position in the mesh that it was made from.
  package let sourceVertices: [UInt32]
  /// The texture coordinates of each vertex, by the rules of ``TextureLayout``; `nil` without any.
  package let coordinates: [SIMD2<Float>]?
  /// The triangles of the mesh, in its order and with its first corners.
  package let triangles: [TriangleIndices]

  /// The number of vertices.
  package var vertexCount: Int { sourceVertices.count }

  /// Joins the two lists of indices of a mesh; O(*n* log *d*) for *d* coordinates at one vertex.
  ///
  /// Vertices come in the order in which triangles first name them, a vertex with its coordinates;
  /// vertices of no triangle come last, at the coordinates (0, 0). Without a texture vertices stay
  /// as they are. Coordinates that are listed twice count as one.
  package init(_ mesh: TriangleMesh) {
    guard let texture = mesh.texture else {
      sourceVertices = (0..<UInt32(mesh.vertexCount)).map { $0 }
      coordinates = nil
      triangles = mesh.triangles
      return
    }
    // The versions of a vertex are a linked list: mostly of one, on seams of two or three.
    var firstVersions = [Int32](repeating: -1, count: mesh.vertexCount)
    var nextVersions: [Int32] = []
    var sources: [UInt32] = []
    var coordinates: [SIMD2<Float>] = []
    func version(_ vertex: Int, _ coordinate: SIMD2<Float>) -> UInt32 {
      var place = firstVersions[vertex]
      while place >= 0 {
        if coordinates[Int(place)] == coordinate { return UInt32(place) }
        place = nextVersions[Int(place)]
      }
      nextVersions.append(firstVersions[vertex])
      firstVersions[vertex] = Int32(sources.count)
      sources.append(UInt32(vertex))
      coordinates.append(coordinate)
      return UInt32(sources.count - 1)
    }
    triangles = zip(mesh.triangles, texture.triangles).map { corners, places in
      TriangleIndices(
        version(corners[0], texture.coordinates[places[0]]),
        version(corners[1], texture.coordinates[places[1]]),
        version(corners[2], texture.coordinates[places[2]]))
    }
    for vertex in 0..<mesh.vertexCount where firstVersions[vertex] < 0 {
      _ = version(vertex, .zero)
    }
    sourceVertices = sources
    self.coordinates = coordinates
  }

  /// An attribute of the mesh, for these vertices; O(*n*).
  package func attribute<Entry>(_ values: [Entry]) -> [Entry] {
    sourceVertices.map { values[Int($0)] }
  }

  /// The vertices that a target moves, rising, and how far; O(*n*).
  ///
  /// - Precondition: The target fits the mesh that this one was made from.
  package func movedVertices(
    by target: MorphTarget, sourceVertexCount: Int
  ) -> (indices: [UInt32], deltas: [PackedPoint]) {
    let dense = target.denseDeltas(vertexCount: sourceVertexCount)
    return MorphTarget(name: target.name, deltas: attribute(dense)).movedVertices
  }
}
