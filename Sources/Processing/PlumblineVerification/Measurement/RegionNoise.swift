package import PlumblineModel

/// How much less noise a mean over a region has than a single point.
package struct RegionNoise: Hashable, Sendable {
  /// The law of the sensor.
  package var correlation: CorrelatedNoise
  /// The columns of the map.
  package var mapWidth: Int

  /// Points whose errors are independent.
  package static let independent = RegionNoise(correlation: .independent, mapWidth: 1)

  /// Creates it from its parts.
  package init(correlation: CorrelatedNoise, mapWidth: Int) {
    self.correlation = correlation
    self.mapWidth = mapWidth
  }

  /// The side of the square whose mean has about half of the noise, in columns of the map; 0 for
  /// independent points.
  package var length: Double { correlation.lengthShare * Double(mapWidth) }

  /// By how much the variance of a mean over a region is larger than that of as many independent points.
  ///
  /// - Parameters:
  ///   - count: The number of points.
  ///   - area: The pixels of the map that they are spread over, at least `count`.
  /// - Returns: At least 1. The mean over the square of that area has `share·σ` of noise; the squares of
  ///   independent points have `σ²/count`.
  /// - Source: ``CorrelatedNoise/share(ofMeanOver:mapWidth:)``, measured.
  func growth(count: Int, area: Double) -> Double {
    guard correlation.lengthShare > 0, count > 0 else { return 1 }
    let side = max(1, max(area, Double(count)).squareRoot())
    let share = correlation.share(ofMeanOver: side, mapWidth: mapWidth)
    return max(1, Double(count) * share * share)
  }
}
