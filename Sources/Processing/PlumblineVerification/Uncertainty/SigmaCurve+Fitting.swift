import PlumblineCorrection
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

extension SigmaCurve {
  /// The curve of a single part that follows the ± of each pixel best; `nil` where sizes differ or
  /// nothing is measured.
  ///
  /// Of a constant, a share of the depth and one of its square the one whose factor varies least over
  /// the map, with the median of that factor.
  ///
  /// - Parameters:
  ///   - sigma: One standard deviation of each depth, in meters.
  ///   - depth: The depths, of the same size; of more than 65,536 every *n*-th is used.
  init?(following sigma: Raster<Float>, of depth: DepthMap) {
    guard sigma.size == depth.size else { return nil }
    let (sigmas, depths) = (sigma.packed.samples, depth.meters.packed.samples)
    let step = max(depths.count >> 16, 1)
    var factors: [[Double]] = [[], [], []]
    for index in stride(from: 0, to: depths.count, by: step) {
      let (z, sigma) = (Double(depths[index]), Double(sigmas[index]))
      guard z > 0, z.isFinite, sigma >= 0, sigma.isFinite else { continue }
      factors[0].append(sigma)
      factors[1].append(sigma / z)
      factors[2].append(sigma / (z * z))
    }
    guard !factors[0].isEmpty else { return nil }
    let quantiles = factors.map { values in
      let sorted = values.sorted()
      let last = Double(sorted.count - 1)
      return [0.16, 0.5, 0.84].map { sorted[Int((last * $0).rounded())] }
    }
    let spreads = quantiles.map { $0[1] > 0 ? ($0[2] - $0[0]) / $0[1] : .infinity }
    let best = spreads.indices.min { spreads[$0] < spreads[$1] } ?? 1
    let factor = quantiles[best][1]
    self.init(
      constantMeters: best == 0 ? factor : 0, perMeter: best == 1 ? factor : 0,
      perMeterSquared: best == 2 ? factor : 0)
  }
}

extension DistanceFit {
  /// The gentlest curve that is nowhere below the fit's own σ within a range of depths.
  ///
  /// The fit's σ is least between its distances and grows away from them, which no sum of powers of
  /// `z` follows exactly; a curve taken at one depth would promise too much at all others.
  ///
  /// - Parameters:
  ///   - range: Depths in meters, above 0.
  ///   - noise: The map's own noise where the distances were taken.
  /// - Returns: A curve; see ``SigmaCurve/init(covering:)``. Cost: O(1), about a millisecond.
  func sigmaCurve(over range: ClosedRange<Double>, noise: MapNoise = .none) -> SigmaCurve {
    // Evenly spaced in disparity, in which the fit is a line; σ bends too little to matter between.
    SigmaCurve(
      covering: (0...32).map { index in
        let share = Double(index) / 32
        let depth = 1 / ((1 - share) / range.lowerBound + share / range.upperBound)
        return (depth, sigmaMeters(atDepth: depth, noise: noise))
      })
  }
}

extension DepthMap {
  /// The depths between which 98 % of the measured pixels lie, 1 % being nearer and 1 % farther;
  /// `nil` without a measured pixel.
  ///
  /// Single wrong matches lie anywhere. A curve that covers them is several times too large for
  /// all others.
  ///
  /// - Returns: Meters; of more than 65,536 pixels of every *n*-th. Cost: O(*n*).
  var usualRange: ClosedRange<Double>? {
    let samples = meters.packed.samples
    let step = max(samples.count >> 16, 1)
    let chosen: [Float] = stride(from: 0, to: samples.count, by: step).map { samples[$0] }
    let sorted: [Float] = chosen.filter { $0 > 0 && $0 < Float.infinity }.sorted()
    guard !sorted.isEmpty else { return nil }
    let last = Double(sorted.count - 1)
    let nearest = Double(sorted[Int(0.01 * last)])
    let farthest = Double(sorted[Int((0.99 * last).rounded(.up))])
    return nearest...farthest
  }
}
