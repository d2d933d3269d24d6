import PlumblineModel

extension ConfidenceMap {
  /// The map in ARKit's levels 0 (low), 1 and 2 (high), whatever the producer's scale; O(*n*).
  ///
  /// - Source: Apple, *ARConfidenceLevel*.
  var arkitLevels: Raster<UInt8> {
    let maximum = Int(max(1, maximumLevel))
    return levels.map { UInt8(min(2, (2 * Int($0) + maximum / 2) / maximum)) }
  }
}
