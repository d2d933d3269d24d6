import PlumblineModel

/// Points spread over a surface, as many for each area.
package struct SurfaceSamples: Sendable {
  /// The points, in meters; triangle after triangle.
  package let points: [SIMD3<Double>]
  /// The triangle of each point.
  package let triangles: [UInt32]

  /// Spreads points evenly by area.
  ///
  /// The area of all triangles in their order is cut into equal pieces, and the middle of each names its
  /// triangle; the place in it is the next of a sequence that fills the square evenly, folded into the
  /// triangle. Nothing is random: the same mesh has the same points.
  ///
  /// - Parameters:
  ///   - mesh: The surface.
  ///   - count: How many, at least 0.
  /// - Returns: The points; none on a surface without area. Cost: O(*n* + count).
  /// - Source: M. Roberts, *The unreasonable effectiveness of quasirandom sequences*, 2018, for R₂.
  package static func spread(over mesh: TriangleMesh, count: Int) -> SurfaceSamples {
    let areas = mesh.triangles.map { mesh.area(of: $0) }
    let total = areas.reduce(0, +)
    var points: [SIMD3<Double>] = []
    var triangles: [UInt32] = []
    guard total > 0 else { return SurfaceSamples(points: [], triangles: []) }
    points.reserveCapacity(count)
    triangles.reserveCapacity(count)
    var (triangle, passed) = (0, 0.0)
    // The last triangle takes what rounding leaves over.
    for sample in 0..<count {
      let place = (Double(sample) + 0.5) / Double(count) * total
      while triangle < areas.count - 1, passed + areas[triangle] < place {
        passed += areas[triangle]
        triangle += 1
      }
      // The powers of 1/g with g³ = g + 1, by which R₂ advances.
      var u = (0.5 + 0.7548776662466927 * Double(sample)).truncatingRemainder(dividingBy: 1)
      var v = (0.5 + 0.5698402909980532 * Double(sample)).truncatingRemainder(dividingBy: 1)
      if u + v > 1 { (u, v) = (1 - u, 1 - v) }
      let corners = mesh.triangles[triangle]
      let a = mesh.positions[corners[0]].vector
      points.append(
        a + u * (mesh.positions[corners[1]].vector - a)
          + v * (mesh.positions[corners[2]].vector - a))
      triangles.append(UInt32(triangle))
    }
    return SurfaceSamples(points: points, triangles: triangles)
  }
}
