import PlumblineModel

/// How far surfaces are turned away from the rays that see them, pixel by pixel.
///
/// From the inverse depths of pixels a few columns and rows away, in which planes are straight. At an
/// edge the two sides of a pixel disagree, and the gentler one is taken: a step between two surfaces
/// is no slope.
struct SurfaceTilt {
  /// How far the neighbors are, as a share of the map's width: 6 of 640 pixels, over which the noise
  /// of TrueDepth moves a tangent of 1 by some 0.2 (tenth to ninetieth percent of board frames).
  static let reachShare = 6.0 / 640
  /// Where tangents end: 72°, beyond which boards were not measured.
  static let maximumTangent: Float = 3

  /// The tangent of the angle between ray and normal; 0 where no neighbor was measured.
  let tangents: Raster<Float>

  /// Measures the tilt; O(*n*).
  ///
  /// - Precondition: The rays have the map's size.
  init(_ depth: DepthMap, rays: RayMap) {
    precondition(depth.size == rays.size, "rays of \(rays.size) for \(depth.size)")
    let size = depth.size
    let reach = max(2, Int((Self.reachShare * Double(size.width)).rounded()))
    let meters = depth.meters.packed
    let (columns, rows) = (rays.xOverZ.packed, rays.yOverZ.packed)
    func slope(
      _ x: Int, _ y: Int, _ step: SIMD2<Int>, along places: Raster<Float>, _ inverse: Float
    ) -> Float {
      func side(_ sign: Int) -> Float {
        let (u, v) = (x + sign * step.x, y + sign * step.y)
        guard meters.contains(x: u, y: v) else { return .nan }
        return (1 / meters[u, v] - inverse) / (places[u, v] - places[x, y])
      }
      return Self.joined(side(-1), side(1))
    }
    tangents = Raster(size: size) { x, y in
      let inverse = 1 / meters[x, y]
      guard inverse > 0, inverse < .infinity else { return 0 }
      let across = slope(x, y, SIMD2(reach, 0), along: columns, inverse)
      let down = slope(x, y, SIMD2(0, reach), along: rows, inverse)
      let ray = SIMD3(columns[x, y], rows[x, y], 1)
      // A plane n·p = 1 has the inverse depth n·(ray).
      let normal = SIMD3(across, down, inverse - across * ray.x - down * ray.y)
      let square = (normal * normal).sum() * (ray * ray).sum() / (inverse * inverse) - 1
      return square > 0 ? min(square.squareRoot(), Self.maximumTangent) : 0
    }
  }

  /// The mean of two slopes that agree, else the gentler one; 0 where neither is known.
  private static func joined(_ a: Float, _ b: Float) -> Float {
    let isKnown = (a.isFinite, b.isFinite)
    guard isKnown.0, isKnown.1 else { return isKnown.0 ? a : isKnown.1 ? b : 0 }
    let (gentle, steep) = abs(a) < abs(b) ? (a, b) : (b, a)
    return abs(a - b) < 0.5 * abs(steep) ? (a + b) / 2 : gentle
  }
}
