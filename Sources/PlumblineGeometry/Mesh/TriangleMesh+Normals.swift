public import PlumblineModel

extension TriangleMesh {
  /// The mean normal of the triangles around each vertex, weighted by their areas.
  ///
  /// Unit vectors out of the surface; three zeros for a vertex of no triangle, or whose triangles
  /// have no area or cancel out. Each triangle adds `(b − a) × (c − a)`, whose length is twice its
  /// area; sums are in double precision, in the order of the triangles.
  ///
  /// - Complexity: O(*n*).
  public var areaWeightedNormals: [PackedPoint] {
    var sums = [SIMD3<Double>](repeating: .zero, count: vertexCount)
    for triangle in triangles {
      let normal = doubledAreaVector(of: triangle)
      sums[triangle[0]] += normal
      sums[triangle[1]] += normal
      sums[triangle[2]] += normal
    }
    return sums.map { sum in
      let length = (sum * sum).sum().squareRoot()
      // A sum of nothing has no direction; the least normal number keeps the quotient finite.
      guard length > .leastNormalMagnitude else { return PackedPoint(x: 0, y: 0, z: 0) }
      let unit = sum / length
      return PackedPoint(x: Float(unit.x), y: Float(unit.y), z: Float(unit.z))
    }
  }

  /// The area of all triangles, in square meters; O(*n*).
  public var surfaceArea: Double {
    triangles.reduce(0) { $0 + area(of: $1) }
  }

  /// The area of one triangle, in square meters.
  package func area(of triangle: TriangleIndices) -> Double {
    let vector = doubledAreaVector(of: triangle)
    return (vector * vector).sum().squareRoot() / 2
  }

  /// `(b − a) × (c − a)` in square meters.
  private func doubledAreaVector(of triangle: TriangleIndices) -> SIMD3<Double> {
    let corner = positions[triangle[0]].vector
    return cross(positions[triangle[1]].vector - corner, positions[triangle[2]].vector - corner)
  }
}

/// The vector product.
func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
  SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
}
