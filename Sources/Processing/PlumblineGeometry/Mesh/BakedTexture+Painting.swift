package import PlumblineModel

extension BakedTexture {
  /// Paints triangles that no photo shows with the colors of their vertices, mixed in codes; O(texels).
  ///
  /// - Parameters:
  ///   - triangles: Which triangles of the mesh.
  ///   - mesh: A mesh with a texture layout.
  ///   - vertexColors: A color for each vertex of the mesh.
  ///   - edgeTexels: How far beyond their rim triangles are continued.
  /// - Precondition: There is a color for each vertex.
  package mutating func paint(
    _ triangles: Range<Int>, of mesh: TriangleMesh, colors vertexColors: [RGB8],
    edgeTexels: Int = 3
  ) {
    precondition(
      vertexColors.count == mesh.vertexCount,
      "\(vertexColors.count) colors of \(mesh.vertexCount) vertices")
    guard let layout = mesh.texture else { return }
    let side = colors.width
    let height = colors.height
    var painted = [Bool](repeating: false, count: side * height)
    var places: [Int] = []
    for index in triangles {
      let corners = (0..<3).map { corner -> SIMD2<Double> in
        let place = layout.coordinates[layout.triangles[index][corner]]
        return SIMD2(Double(place.x), Double(place.y)) * Double(side) - 0.5
      }
      guard
        case .onGrid(let triangle) = ScreenTriangle.placed(
          corners[0], corners[1], corners[2], width: side, height: height)
      else { continue }
      let vertices = mesh.triangles[index]
      let first = vertexColors[vertices[0]].floats
      let toSecond = vertexColors[vertices[1]].floats - first
      let toThird = vertexColors[vertices[2]].floats - first
      triangle.forEachPixel { x, y, second, third in
        colors[x, y] = RGB8(
          rounding: (first + toSecond * second + toThird * third)
            .clamped(lowerBound: .zero, upperBound: SIMD3(repeating: 255)))
        if !painted[y * side + x] { places.append(y * side + x) }
        painted[y * side + x] = true
      }
    }
    // Readers mix neighboring texels: beyond the rim is the color of the rim.
    for _ in 0..<edgeTexels {
      var next: [Int] = []
      for place in places {
        let (x, y) = (place % side, place / side)
        for (column, row) in [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]
        where column >= 0 && row >= 0 && column < side && row < height {
          guard !painted[row * side + column] else { continue }
          painted[row * side + column] = true
          colors[column, row] = colors[x, y]
          next.append(row * side + column)
        }
      }
      places = next
    }
  }
}

extension TriangleMesh {
  /// The mesh with another texture layout; its own where that has another number of triangles.
  package func textured(by layout: TextureLayout) -> TriangleMesh {
    guard
      var mesh = try? TriangleMesh(
        positions: positions, triangles: triangles, texture: layout, normals: normals,
        colors: colors, sigmaMeters: sigmaMeters, residualMeters: residualMeters,
        isInvented: isInvented)
    else { return self }
    mesh.normals = normals
    return mesh
  }
}
