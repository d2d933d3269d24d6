import PlumblineModel

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
