import PlumblineModel

extension TriangleMesh {
  /// The mesh of some triangles, in the order in which they are given, with the vertices that they have.
  ///
  /// Vertices keep their order and all their attributes; the texture keeps its coordinates.
  ///
  /// - Parameter places: Which triangles.
  /// - Returns: The mesh. Cost: O(*n*).
  /// - Precondition: They are triangles of the mesh.
  package func keeping(triangles places: [Int]) -> TriangleMesh {
    var isUsed = [Bool](repeating: false, count: vertexCount)
    for place in places {
      for corner in 0..<3 { isUsed[triangles[place][corner]] = true }
    }
    let vertices = isUsed.indices.filter { isUsed[$0] }
    var numbers = [UInt32](repeating: 0, count: vertexCount)
    for (number, vertex) in vertices.enumerated() { numbers[vertex] = UInt32(number) }
    return TriangleMesh(
      verticesOf: self, vertices: vertices,
      triangles: places.map { triangles[$0].renumbered(by: numbers) },
      texture: texture.map { layout in layout.keeping(triangles: places) })
  }

  /// A mesh of vertices of another with all their attributes; O(*n*).
  ///
  /// - Precondition: The triangles' corners are places in `vertices`, none twice in one triangle (checked).
  init(
    verticesOf mesh: TriangleMesh, vertices: [Int], triangles: [TriangleIndices],
    texture: TextureLayout? = nil
  ) {
    func picked<Entry>(_ values: [Entry]?) -> [Entry]? {
      values.map { list in vertices.map { list[$0] } }
    }
    self.init(
      checked: vertices.map { mesh.positions[$0] }, triangles: triangles, texture: texture,
      normals: picked(mesh.normals), colors: picked(mesh.colors),
      sigmaMeters: picked(mesh.sigmaMeters), residualMeters: picked(mesh.residualMeters),
      isInvented: picked(mesh.isInvented))
  }

  /// A mesh of lists that are known to fit.
  ///
  /// - Precondition: They do.
  init(
    checked positions: [PackedPoint], triangles: [TriangleIndices], texture: TextureLayout? = nil,
    normals: [PackedPoint]? = nil, colors: [RGB8]? = nil, sigmaMeters: [Float]? = nil,
    residualMeters: [Float]? = nil, isInvented: [Bool]? = nil
  ) {
    do throws(MeshError) {
      try self.init(
        positions: positions, triangles: triangles, texture: texture, normals: normals,
        colors: colors, sigmaMeters: sigmaMeters, residualMeters: residualMeters,
        isInvented: isInvented)
    } catch {
      preconditionFailure("\(error)")
    }
  }
}

extension TriangleIndices {
  /// The triangle with other numbers for its corners.
  func renumbered(by numbers: [UInt32]) -> TriangleIndices {
    TriangleIndices(numbers[Int(first)], numbers[Int(second)], numbers[Int(third)])
  }

  /// The triangle that faces the other way.
  var turned: TriangleIndices { TriangleIndices(first, third, second) }
}

extension TextureLayout {
  /// The layout of some of the triangles; all coordinates stay.
  func keeping(triangles places: [Int]) -> TextureLayout {
    do throws(MeshError) {
      return try TextureLayout(
        coordinates: coordinates, triangles: places.map { triangles[$0] })
    } catch {
      preconditionFailure("\(error)")
    }
  }
}
