internal import PlumblineModel

extension DepthRecord.Values {
  /// The map with each pixel copied from its source.
  func gathered(by map: NearestPixelMap) -> DepthRecord.Values {
    moved { map.gathered($0, missing: DepthMap.missing) }
  }

  /// The map with each pixel put back where it came from.
  func scattered(by map: NearestPixelMap) -> DepthRecord.Values {
    moved { map.scattered($0, missing: DepthMap.missing) }
  }

  private func moved(_ move: (Raster<Float>) -> Raster<Float>) -> DepthRecord.Values {
    switch self {
    case .depth(let map): .depth(DepthMap(meters: move(map.meters)))
    case .disparity(let map): .disparity(DisparityMap(inverseMeters: move(map.inverseMeters)))
    case .range(let map): .range(RangeMap(meters: move(map.meters)))
    }
  }
}

extension DepthRecord {
  /// The record with each pixel copied from its source.
  ///
  /// Codes have no word for "missing", so where pixels lie outside the stored codes are dropped;
  /// the rule of their steps stays. The confidence of such pixels is 0. A residual is dropped.
  func gathered(by map: NearestPixelMap) -> DepthRecord {
    var copy = self
    copy.values = values.gathered(by: map)
    // It lies on a grid of its own, which did not move along.
    copy.residual = nil
    copy.confidence = confidence.map {
      ConfidenceMap(levels: map.gathered($0.levels, missing: 0), maximumLevel: $0.maximumLevel)
    }
    guard !map.sources.contains(-1) else {
      copy.storedSamples = nil
      return copy
    }
    switch storedSamples {
    case .uint8(let codes): copy.storedSamples = .uint8(map.gathered(codes, missing: 0))
    case .uint16(let codes, let bitDepth):
      copy.storedSamples = .uint16(map.gathered(codes, missing: 0), bitDepth: bitDepth)
    case nil: break
    }
    return copy
  }
}
