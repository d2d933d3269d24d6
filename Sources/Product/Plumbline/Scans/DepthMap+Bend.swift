import PlumblineModel

extension DepthMap {
  /// The depths without a bend: a depth z becomes z/(1 + bend · z); see ``ScanSettings/depthBendPerMeter``.
  ///
  /// A depth beyond any that such a bend stores is missing. Cost: O(*n*).
  func unbent(by perMeter: Double) -> DepthMap {
    guard perMeter != 0 else { return self }
    let bend = Float(perMeter)
    var depths = meters.packed
    for pixel in depths.samples.indices {
      let depth = depths.samples[pixel]
      depths.samples[pixel] = 1 + bend * depth > 0 ? depth / (1 + bend * depth) : Self.missing
    }
    return DepthMap(meters: depths)
  }
}

extension DepthRecord {
  /// The record without a bend of its depths; a map of ranges stays as it is, since its numbers are no depths.
  func unbent(by perMeter: Double) -> DepthRecord {
    guard perMeter != 0 else { return self }
    var record = self
    switch values {
    case .depth(let map): record.values = .depth(map.unbent(by: perMeter))
    case .disparity(let map): record.values = .depth(map.depthMap.unbent(by: perMeter))
    case .range: break
    }
    return record
  }
}
