/// Which axis of its frame a surface of rooms has upward, where its file does not say so.
package enum SurfaceUp {
  /// Normals within 10° of an axis count for it.
  private static let leastCosine = 0.985

  /// The axis of the frame that most of the area lies level across; its positive side is taken to be up.
  ///
  /// Floor and ceiling face along it, and are larger than walls of any one direction in most rooms. It must
  /// have a quarter of all area, and a fifth more than the next axis.
  ///
  /// - Returns: A unit vector; `nil` where no axis has so much. Cost: O(*n*).
  package static func axis(of surface: MeasurableMesh) -> SIMD3<Double>? {
    var (areas, whole) = (SIMD3<Double>.zero, 0.0)
    for index in surface.triangles.indices {
      let doubled = surface.doubledArea(index)
      let size = doubled.norm
      whole += size
      for axis in 0..<3 where abs(doubled[axis]) > leastCosine * size { areas[axis] += size }
    }
    let order = (0..<3).sorted { areas[$0] > areas[$1] }
    guard whole > 0, areas[order[0]] > whole / 4, areas[order[0]] > 1.2 * areas[order[1]] else {
      return nil
    }
    var up = SIMD3<Double>.zero
    up[order[0]] = 1
    return up
  }
}
