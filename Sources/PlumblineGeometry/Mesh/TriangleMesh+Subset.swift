extension TriangleMesh {
  /// A part of a mesh, and where its vertices come from.
  public struct Subset: Sendable {
    /// The part.
    public let mesh: TriangleMesh
    /// For each vertex of the part its position in the whole, rising.
    public let sourceVertices: [UInt32]
    /// For each triangle of the part its position in the whole, rising.
    public let sourceTriangles: [UInt32]

    /// A target of the whole, for the part; O(*n*).
    ///
    /// - Precondition: The target fits the whole.
    public func morphTarget(_ target: MorphTarget, vertexCount: Int) -> MorphTarget {
      let deltas = target.denseDeltas(vertexCount: vertexCount)
      return MorphTarget(name: target.name, deltas: sourceVertices.map { deltas[Int($0)] })
    }
  }

  /// The mesh of some vertices: with each triangle all of whose corners are kept; O(*n*).
  ///
  /// Texture coordinates that no triangle needs any more are left out; attributes follow their
  /// vertices.
  ///
  /// - Precondition: There is one flag for each vertex.
  /// - Throws: `.outOfRange` where positions were set to numbers that are not finite.
  public func subset(keeping isKept: [Bool]) throws(MeshError) -> Subset {
    precondition(isKept.count == vertexCount, "\(isKept.count) flags of \(vertexCount) vertices")
    let vertices = Renumbering(isKept: isKept)
    var sourceTriangles: [UInt32] = []
    for (index, triangle) in triangles.enumerated()
    where isKept[triangle[0]] && isKept[triangle[1]] && isKept[triangle[2]] {
      sourceTriangles.append(UInt32(index))
    }
    var layout: TextureLayout?
    if let texture {
      let kept = sourceTriangles.map { texture.triangles[Int($0)] }
      var isUsed = [Bool](repeating: false, count: texture.coordinates.count)
      for triangle in kept { for corner in 0..<3 { isUsed[triangle[corner]] = true } }
      let coordinates = Renumbering(isKept: isUsed)
      layout = try TextureLayout(
        coordinates: coordinates.kept(of: texture.coordinates),
        triangles: kept.map(coordinates.renumbered))
    }
    let mesh = try TriangleMesh(
      positions: vertices.kept(of: positions),
      triangles: sourceTriangles.map { vertices.renumbered(triangles[Int($0)]) }, texture: layout,
      normals: normals.map(vertices.kept), colors: colors.map(vertices.kept),
      sigmaMeters: sigmaMeters.map(vertices.kept), residualMeters: residualMeters.map(vertices.kept)
    )
    return Subset(mesh: mesh, sourceVertices: vertices.sources, sourceTriangles: sourceTriangles)
  }
}

/// The positions that remain of a list when some entries go.
struct Renumbering {
  /// For each remaining entry its position before.
  let sources: [UInt32]
  /// For each entry before its position now; any number where it is gone.
  private let targets: [UInt32]

  init(isKept: [Bool]) {
    var sources: [UInt32] = []
    var targets: [UInt32] = []
    targets.reserveCapacity(isKept.count)
    for (index, keeps) in isKept.enumerated() {
      targets.append(UInt32(sources.count))
      if keeps { sources.append(UInt32(index)) }
    }
    self.sources = sources
    self.targets = targets
  }

  func kept<Entry>(of list: [Entry]) -> [Entry] { sources.map { list[Int($0)] } }

  func renumbered(_ triangle: TriangleIndices) -> TriangleIndices {
    TriangleIndices(targets[triangle[0]], targets[triangle[1]], targets[triangle[2]])
  }
}
