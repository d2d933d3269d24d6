package import PlumblineGeometry
package import PlumblineModel

/// The point where a ray meets a mesh.
package struct MeshHit: Sendable {
  /// The triangle's position in the mesh.
  package let triangle: Int
  /// The shares of the second and third corner.
  package let shares: SIMD2<Double>
  /// Along `z`, in the unit of the mesh.
  package let depth: Double
}

extension Oracle {
  /// What a pinhole camera sees at a pixel, by a ray through every triangle.
  ///
  /// - Source: T. Möller, B. Trumbore, *Fast, minimum storage ray/triangle intersection*, 1997.
  package static func hit(
    _ mesh: TriangleMesh, camera: PinholeIntrinsics, pixel: SIMD2<Double>
  ) -> MeshHit? {
    let ray = camera.unproject(pixel, depth: 1)
    var nearest: MeshHit?
    for (index, triangle) in mesh.triangles.enumerated() {
      let corner = mesh.positions[triangle[0]].vector
      let toSecond = mesh.positions[triangle[1]].vector - corner
      let toThird = mesh.positions[triangle[2]].vector - corner
      let across = product(ray, toThird)
      let determinant = (toSecond * across).sum()
      guard determinant != 0 else { continue }
      let second = -(corner * across).sum() / determinant
      let other = product(-corner, toSecond)
      let third = (ray * other).sum() / determinant
      let depth = (toThird * other).sum() / determinant
      guard second >= 0, third >= 0, second + third <= 1, depth > 0 else { continue }
      if depth < nearest?.depth ?? .infinity {
        nearest = MeshHit(triangle: index, shares: [second, third], depth: depth)
      }
    }
    return nearest
  }

  private static func product(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
    [a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x]
  }
}
