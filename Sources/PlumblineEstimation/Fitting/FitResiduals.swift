/// The residuals between a fitted estimate and measurements.
public struct FitResiduals: Sendable, Hashable {
  /// The number of positions compared.
  public var count: Int
  /// The median of estimate minus measurement, in millimeters.
  public var medianMillimeters: Double
  /// The median absolute deviation from that median, in millimeters.
  public var deviationMillimeters: Double
  /// The root mean square, outliers included, in millimeters.
  public var rmsMillimeters: Double
  /// The root mean square as a share of the depth, outliers included, in percent.
  public var rmsPercent: Double
  /// The 68.3 % quantile of the absolute residual, in millimeters: σ, were residuals normal.
  public var sigmaMillimeters: Double
  /// The 68.3 % quantile of the absolute residual as a share of the depth, in percent.
  public var sigmaPercent: Double

  /// Summarizes pairs of depths in meters, estimate first; `nil` for none.
  ///
  /// O(*n* log *n*).
  init?(_ pairs: [(estimate: Double, measured: Double)]) {
    guard !pairs.isEmpty else { return nil }
    let residuals = pairs.map { ($0.estimate - $0.measured) * 1000 }.sorted()
    let shares = pairs.map { ($0.estimate / $0.measured - 1) * 100 }
    let median = residuals[residuals.count / 2]
    let deviations = residuals.map { abs($0 - median) }.sorted()
    count = pairs.count
    medianMillimeters = median
    deviationMillimeters = deviations[deviations.count / 2]
    let total = Double(pairs.count)
    rmsMillimeters = (residuals.reduce(0) { $0 + $1 * $1 } / total).squareRoot()
    rmsPercent = (shares.reduce(0) { $0 + $1 * $1 } / total).squareRoot()
    sigmaMillimeters = Self.sigma(residuals)
    sigmaPercent = Self.sigma(shares)
  }

  private static func sigma(_ values: [Double]) -> Double {
    let sorted = values.map { abs($0) }.sorted()
    return sorted[min(sorted.count * 683 / 1000, sorted.count - 1)]
  }
}

/// A range of depths, for numbers by distance.
public struct DistanceBand: Sendable, Hashable {
  /// The start of the band, in meters; included.
  public var fromMeters: Double
  /// Where it ends, in meters; belongs to the next one; infinite for the last.
  public var toMeters: Double

  /// The bands of every table: from 0 to 0.5, 1, 2, 3, 5, 10, 20, 40 and 80 m, and beyond.
  public static let all: [DistanceBand] = {
    let edges: [Double] = [0, 0.5, 1, 2, 3, 5, 10, 20, 40, 80, .infinity]
    return zip(edges, edges.dropFirst()).map { DistanceBand(fromMeters: $0, toMeters: $1) }
  }()

  /// Whether a depth lies in it.
  public func contains(_ meters: Double) -> Bool { meters >= fromMeters && meters < toMeters }
}

/// The residuals of one range of measured depths.
public struct FitBand: Sendable, Hashable {
  /// The range.
  public var band: DistanceBand
  /// The median of the measured depths in it, in meters.
  public var medianMeters: Double
  /// The residuals in the band.
  public var residuals: FitResiduals

  /// The bands that hold a position.
  static func bands(_ pairs: [(estimate: Double, measured: Double)]) -> [FitBand] {
    DistanceBand.all.compactMap { band in
      let inside = pairs.filter { band.contains($0.measured) }
      let depths = inside.map(\.measured).sorted()
      return FitResiduals(inside).map {
        FitBand(band: band, medianMeters: depths[depths.count / 2], residuals: $0)
      }
    }
  }
}
