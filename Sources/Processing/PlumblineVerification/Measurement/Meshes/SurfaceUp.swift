/// Which axis of its frame a surface of rooms has upward, where its file does not say so.
package enum SurfaceUp {
  /// Normals within 10° of an axis count for it.
  private static let leastCosine = 0.985

  /// The axis, of y and z, both ways, and x, that most of the area lies level across.
  ///
  /// Triangles that face along an axis are floor and ceiling for it; walls are about as large in two
  /// directions, so that an axis must have a quarter of all area, and the side on which the lowest level face
  /// is the larger one is down. A choice that is not clear is none.
  ///
  /// - Returns: A unit vector; `nil` where none has half as much again as the next one. Cost: O(*n*).
  package static func axis(of surface: MeasuredSurface) -> SIMD3<Double>? {
    var (areas, whole) = (SIMD3<Double>.zero, 0.0)
    for index in surface.triangles.indices {
      let doubled = surface.doubledArea(index)
      let size = doubled.norm
      whole += size
      for axis in 0..<3 where abs(doubled[axis]) > leastCosine * size { areas[axis] += size }
    }
    let order = (0..<3).sorted { areas[$0] > areas[$1] }
    guard whole > 0, areas[order[0]] > whole / 4, areas[order[0]] > 1.5 * areas[order[1]] else {
      return nil
    }
    var up = SIMD3<Double>.zero
    up[order[0]] = 1
    return up
  }
}
