package import PlumblineGeometry
internal import PlumblineModel

extension MeasuredSurface {
  /// How far behind a vertex depth must lie for the photo to show something else there, in meters.
  ///
  /// Such as the wall behind an ear that the model has and a person has not: hair and the model's error are less deep.
  static let backgroundMeters: Float = 0.025
  /// How many pixels of the map around a vertex may show it: edges of filtered maps are as wide.
  static let backgroundReach = 2
  /// Below this cosine between normal and line of sight a vertex lies near the head's outline: 60° aslant.
  static let outlineFacing = 0.5

  /// For each vertex whether the map has something far behind it at its pixel or close by, or nothing at the outline.
  ///
  /// What is too far away has no depth, and pixels between head and wall are not believed. Holes elsewhere, as in hair,
  /// say nothing, nor does what lies outside of the map.
  ///
  /// - Parameter mesh: A mesh in the camera's frame, with normals.
  /// - Returns: `true` also for vertices behind the camera. O(*n*).
  package func backgroundVertices(of mesh: TriangleMesh) -> [Bool] {
    mesh.positions.indices.map { vertex in
      let position = mesh.positions[vertex]
      guard position.z > 0 else { return true }
      let sight = position.vector / (position.vector * position.vector).sum().squareRoot()
      let facing = -((mesh.normals?[vertex].vector ?? .zero) * sight).sum()
      return isBackground(
        around: camera.pixel(of: position.vector), beyond: position.z + Self.backgroundMeters,
        orNothing: facing < Self.outlineFacing)
    }
  }

  private func isBackground(
    around pixel: SIMD2<Double>, beyond limit: Float, orNothing: Bool
  ) -> Bool {
    let (x, y) = (pixel.x.rounded(), pixel.y.rounded())
    guard x >= 0, y >= 0, x < Double(meters.width), y < Double(meters.height) else { return false }
    let reach = Self.backgroundReach
    for row in max(0, Int(y) - reach)...min(meters.height - 1, Int(y) + reach) {
      for column in max(0, Int(x) - reach)...min(meters.width - 1, Int(x) + reach) {
        let depth = meters[column, row]
        if depth > limit || (orNothing && depth.isNaN) { return true }
      }
    }
    return false
  }
}
