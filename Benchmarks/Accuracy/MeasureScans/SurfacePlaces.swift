import PlumblineGeometry
import PlumblineModel

/// Places evenly spread over a surface by its area.
///
/// Vertices are not: where a wall lies in a plane of the voxels, about half of them lie exactly in that plane, and
/// are right by chance; and a rough surface has more of them than a smooth one.
struct SurfacePlaces {
  var positions: [SIMD3<Double>] = []
  /// The ± there, between those of the corners; `nil` where the surface states none.
  var sigmaMeters: [Double]?

  /// The place in the middle of each of `count` equal parts of the area, triangles in their order; O(triangles + count).
  ///
  /// - Source: Inside a triangle: the additive recurrence of the plastic number, M. Roberts, *The Unreasonable
  ///   Effectiveness of Quasirandom Sequences*, 2018; folded where it lies beyond the diagonal.
  static func spread(over mesh: TriangleMesh, count: Int) -> SurfacePlaces {
    let corners = mesh.positions.map(\.vector)
    let areas = mesh.triangles.map { triangle in
      let (a, b, c) = (
        corners[Int(triangle.first)], corners[Int(triangle.second)], corners[Int(triangle.third)]
      )
      let (u, v) = (b - a, c - a)
      let normal = SIMD3(
        u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x)
      return (normal * normal).sum().squareRoot() / 2
    }
    let part = areas.reduce(0, +) / Double(count)
    var places = SurfacePlaces(sigmaMeters: mesh.sigmaMeters == nil ? nil : [])
    guard part > 0 else { return places }
    var passed = 0.0
    for (triangle, area) in zip(mesh.triangles, areas) {
      passed += area
      while (Double(places.positions.count) + 0.5) * part < passed {
        let number = Double(places.positions.count)
        var (s, t) = (fraction(0.7548776662466927 * number), fraction(0.5698402909980532 * number))
        if s + t > 1 { (s, t) = (1 - s, 1 - t) }
        func between(_ values: (Double, Double, Double)) -> Double {
          values.0 * (1 - s - t) + values.1 * s + values.2 * t
        }
        let (a, b, c) = (Int(triangle.first), Int(triangle.second), Int(triangle.third))
        places.positions.append(corners[a] * (1 - s - t) + corners[b] * s + corners[c] * t)
        if let sigmas = mesh.sigmaMeters {
          places.sigmaMeters?.append(
            between((Double(sigmas[a]), Double(sigmas[b]), Double(sigmas[c]))))
        }
      }
    }
    return places
  }

  private static func fraction(_ value: Double) -> Double { value - value.rounded(.down) }
}
