import PlumblineModel

extension TriangleMesh {
  /// The mesh with more triangles, each divided in three at its middle by a new vertex that is marked as
  /// invented; without texture.
  func adding(invented fill: [TriangleIndices]) -> TriangleMesh {
    func mean(_ parts: [Double]) -> Double { parts.reduce(0, +) / Double(parts.count) }
    func code(_ parts: [UInt8]) -> UInt8 { UInt8(mean(parts.map(Double.init)).rounded()) }
    var mesh = (positions: positions, triangles: triangles)
    var (colors, residuals) = (colors, residualMeters)
    for triangle in fill {
      let corners = [triangle[0], triangle[1], triangle[2]]
      let sum = corners.reduce(SIMD3<Double>.zero) { $0 + positions[$1].vector } / 3
      let middle = UInt32(mesh.positions.count)
      mesh.positions.append(PackedPoint(x: Float(sum.x), y: Float(sum.y), z: Float(sum.z)))
      for corner in 0..<3 {
        mesh.triangles.append(
          TriangleIndices(UInt32(corners[corner]), UInt32(corners[(corner + 1) % 3]), middle))
      }
      if let list = colors {
        let three = corners.map { list[$0] }
        colors?.append(
          RGB8(
            red: code(three.map(\.red)), green: code(three.map(\.green)),
            blue: code(three.map(\.blue))))
      }
      residuals?.append(.nan)
    }
    let marks = (isInvented ?? Array(repeating: false, count: vertexCount))
    let sigmas = sigmaMeters.map { $0 + Array(repeating: .nan, count: fill.count) }
    var result = TriangleMesh(
      checked: mesh.positions, triangles: mesh.triangles, colors: colors, sigmaMeters: sigmas,
      residualMeters: residuals, isInvented: marks + Array(repeating: true, count: fill.count))
    if normals != nil { result.normals = result.areaWeightedNormals }
    return result
  }
}
