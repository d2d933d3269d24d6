import PlumblineModel

extension CollapsingMesh {
  /// What is left, with the attributes that a mesh had.
  func mesh(from mesh: TriangleMesh) -> TriangleMesh {
    let triangles = (0..<triangleCount).filter { corners[3 * $0] != Self.none }
    var numbers = [UInt32](repeating: Self.none, count: vertexCount)
    for triangle in triangles {
      for corner in 0..<3 { numbers[Int(corners[3 * triangle + corner])] = 0 }
    }
    let vertices = numbers.indices.filter { numbers[$0] == 0 }
    for (number, vertex) in vertices.enumerated() { numbers[vertex] = UInt32(number) }
    var place = 0
    func part(_ isThere: Bool, width: Int) -> [[Float]]? {
      guard isThere else { return nil }
      defer { place += width }
      return (0..<width).map { part in
        vertices.map { attributes[$0 * attributeCount + place + part] }
      }
    }
    let colors = part(mesh.colors != nil, width: 3)
    let normals = part(mesh.normals != nil, width: 3)
    let sigmas = part(mesh.sigmaMeters != nil, width: 1)
    let residuals = part(mesh.residualMeters != nil, width: 1)
    return TriangleMesh(
      checked: vertices.map { vertex in
        let point = positions[vertex] + origin
        return PackedPoint(x: Float(point.x), y: Float(point.y), z: Float(point.z))
      },
      triangles: triangles.map { triangle in
        TriangleIndices(
          corners[3 * triangle], corners[3 * triangle + 1], corners[3 * triangle + 2]
        ).renumbered(by: numbers)
      },
      normals: normals.map(Self.unitNormals), colors: colors.map(Self.colors),
      sigmaMeters: sigmas?[0], residualMeters: residuals?[0],
      isInvented: mesh.isInvented.map { _ in vertices.map { flags[$0].contains(.invented) } })
  }

  private static func colors(_ parts: [[Float]]) -> [RGB8] {
    func code(_ value: Float) -> UInt8 { UInt8(min(255, max(0, value.rounded()))) }
    return parts[0].indices.map { index in
      RGB8(
        red: code(parts[0][index]), green: code(parts[1][index]), blue: code(parts[2][index]))
    }
  }

  /// Interpolated normals made of unit length again; zero where they canceled out.
  private static func unitNormals(_ parts: [[Float]]) -> [PackedPoint] {
    parts[0].indices.map { index in
      let sum = SIMD3(parts[0][index], parts[1][index], parts[2][index])
      let length = (sum * sum).sum().squareRoot()
      guard length > .leastNormalMagnitude else { return PackedPoint(x: 0, y: 0, z: 0) }
      return PackedPoint(x: sum.x / length, y: sum.y / length, z: sum.z / length)
    }
  }
}
