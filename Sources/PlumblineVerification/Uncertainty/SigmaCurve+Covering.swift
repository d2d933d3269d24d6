import PlumblineModel

extension SigmaCurve {
  /// The gentlest curve that is nowhere below given ones.
  ///
  /// Of all curves that are at least σ at every depth, the one whose variance over σ² is least on
  /// average. The variances of the three parts are the unknowns of a linear program, whose optimum
  /// lies where three of its bounds hold: all triples of bounds are tried.
  ///
  /// - Parameter points: Depths and σ there, all above 0, in meters; without any the curve is 0.
  ///   33 take about 10⁵ steps. Cost: O(*n*⁴).
  /// - Source: the theorem of the vertices of linear programs, in any book on them.
  init(covering points: [(depth: Double, sigma: Double)]) {
    self.init()
    guard let scale = points.map(\.depth).max() else { return }
    // A row holds what the variance of 1 of each part is over σ² there; bounds: rows·x ≥ 1, x ≥ 0.
    let rows = points.map { depth, sigma in
      let square = depth / scale * depth / scale
      return SIMD3(1, square, square * square) / (sigma * sigma)
    }
    // Parts alone, raised until they cover, give each unknown its unit.
    let units = rows.reduce(SIMD3(repeating: Double.infinity)) { pointwiseMin($0, $1) }
    let scaled = rows.map { $0 / units }
    let mean = scaled.reduce(SIMD3.zero, +) / Double(rows.count)
    let bounds =
      scaled.map { ($0, 1.0) }
      + [SIMD3(1, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1)].map { ($0, 0.0) }
    var best = (cost: Double.infinity, parts: SIMD3<Double>.zero)
    for a in bounds.indices {
      for b in bounds.indices[(a + 1)...] {
        for c in bounds.indices[(b + 1)...] {
          guard let parts = Self.vertex(bounds[a], bounds[b], bounds[c]) else { continue }
          let cost = (mean * parts).sum()
          guard cost < best.cost, parts.min() > -1e-9,
            scaled.allSatisfy({ ($0 * parts).sum() > 1 - 1e-9 })
          else { continue }
          best = (cost, parts)
        }
      }
    }
    let variances = pointwiseMax(best.parts, .zero) / units
    self.init(
      constantMeters: variances.x.squareRoot(), perMeter: variances.y.squareRoot() / scale,
      perMeterSquared: variances.z.squareRoot() / (scale * scale))
  }

  /// Where three planes meet; `nil` where they do not in one point.
  private static func vertex(
    _ a: (SIMD3<Double>, Double), _ b: (SIMD3<Double>, Double), _ c: (SIMD3<Double>, Double)
  ) -> SIMD3<Double>? {
    let normals = (cross(b.0, c.0), cross(c.0, a.0), cross(a.0, b.0))
    let determinant = (a.0 * normals.0).sum()
    let size = [a.0, b.0, c.0].map { ($0 * $0).sum().squareRoot() }.reduce(1, *)
    guard abs(determinant) > 1e-12 * size else { return nil }
    return (a.1 * normals.0 + b.1 * normals.1 + c.1 * normals.2) / determinant
  }

  private static func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
  }
}
