public import PlumblineModel

extension SigmaCurve {
  /// The noise between neighboring pixels of a map, where the sensor is unknown: a constant noise
  /// of the inverse depth; `nil` for a map with fewer than 100 rows of three measured neighbors.
  ///
  /// From the median size of second differences along rows, which planes do not have: edges and
  /// curved surfaces are rare enough not to count. Noise that a producer smoothed away is not seen,
  /// so this is a lower bound. O(*n* log *n*).
  /// - Source: for independent noise the second difference has the variance 6σ²; the median of a
  ///   normal distribution's size is 0.6745 σ.
  public init?(noiseOf depth: DepthMap) {
    let map = depth.meters
    var sizes: [Float] = []
    for y in 0..<map.height {
      let row = map.row(y)
      for x in row.indices.dropFirst().dropLast() {
        let bend = 1 / row[x - 1] - 2 / row[x] + 1 / row[x + 1]
        if !bend.isNaN { sizes.append(abs(bend)) }
      }
    }
    guard sizes.count >= 100 else { return nil }
    sizes.sort()
    let median = Double(sizes[sizes.count / 2])
    self.init(perMeterSquared: median / 0.6745 / 6.0.squareRoot())
  }
}
