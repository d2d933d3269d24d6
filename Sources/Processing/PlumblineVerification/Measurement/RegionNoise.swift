package import PlumblineModel

/// How much less noise a mean over a region has than a single point.
package struct RegionNoise: Hashable, Sendable {
  /// The law of the sensor.
  package var correlation: CorrelatedNoise
  /// The columns of the map.
  package var mapWidth: Int
  /// Whether nothing is known of it: then no mean is taken to be better than a single point.
  ///
  /// The most that errors of any kind give: (Σ |w|·σ)² ≤ n·Σ w²·σ² for n weights w (Cauchy–Schwarz).
  package var isUnknown = false

  /// Noise of which nothing is known.
  package static let unknown = {
    var noise = RegionNoise.independent
    noise.isUnknown = true
    return noise
  }()

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
  /// - Returns: At least 1. The mean over the square of that area has `share·σ` of noise; that of
  ///   independent points has `σ/√count`.
  /// - Source: ``CorrelatedNoise/share(ofMeanOver:mapWidth:)``, measured.
  func growth(count: Int, area: Double) -> Double {
    if isUnknown { return Double(max(1, count)) }
    guard correlation.lengthShare > 0, count > 0 else { return 1 }
    let share = share(side: max(area, Double(count)).squareRoot())
    return max(1, Double(count) * share * share)
  }

  /// The same of a slope over a region, which noise that both of its ends share does not move.
  ///
  /// With V(w) the variance of the mean over a square of side w, the means of the two halves of a square,
  /// which are as large as a square of side w/√2, differ by the variance 4·(V(w/√2) − V(w)); of
  /// independent points it is 4/count.
  func slopeGrowth(count: Int, area: Double) -> Double {
    if isUnknown { return Double(max(1, count)) }
    guard correlation.lengthShare > 0, count > 0 else { return 1 }
    let side = max(area, Double(count)).squareRoot()
    let (half, whole) = (share(side: side / 2.0.squareRoot()), share(side: side))
    return max(1, Double(count) * (half * half - whole * whole))
  }

  private func share(side: Double) -> Double {
    correlation.share(ofMeanOver: max(1, side), mapWidth: mapWidth)
  }
}
