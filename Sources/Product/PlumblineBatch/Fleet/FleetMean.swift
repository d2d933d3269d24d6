import Plumbline

/// The weighted mean of numbers of which each has a ±, with a ± that contains how far they scatter.
///
/// The scatter of the numbers about their mean, less what their own ± explains, is added to each one's
/// variance; weights are the reciprocals. Where the numbers scatter more than even that says, the
/// variance of the mean is multiplied by their χ² for each degree of freedom.
/// - Source: as ``FocalPool``.
public struct FleetMean: Hashable, Sendable {
  /// The mean.
  public var value: Double
  /// The half width that contains 68 % of truths.
  public var plusMinus: Double
  /// The standard deviation of the numbers, less what their own ± explains; `nil` of fewer than two.
  public var scatter: Double?
  /// How many numbers it is of.
  public var count: Int

  /// Averages numbers; `nil` for none, O(*n*).
  ///
  /// - Precondition: Numbers are finite, and each σ is above 0.
  init?(_ numbers: [(value: Double, sigma: Double)]) {
    guard let first = numbers.first else { return nil }
    count = numbers.count
    guard numbers.count > 1 else {
      value = first.value
      plusMinus = first.sigma
      return
    }
    let freedom = Double(numbers.count - 1)
    let plain = numbers.reduce(0) { $0 + $1.value } / Double(numbers.count)
    let spread = numbers.reduce(0) { $0 + ($1.value - plain) * ($1.value - plain) } / freedom
    let own = numbers.reduce(0) { $0 + $1.sigma * $1.sigma } / Double(numbers.count)
    let excess = max(0, spread - own)
    scatter = excess.squareRoot()
    let weights = numbers.map { 1 / ($0.sigma * $0.sigma + excess) }
    let weight = weights.reduce(0, +)
    let mean = zip(numbers, weights).reduce(0) { $0 + $1.0.value * $1.1 } / weight
    let square = zip(numbers, weights).reduce(0) {
      $0 + ($1.0.value - mean) * ($1.0.value - mean) * $1.1
    }
    value = mean
    plusMinus =
      (max(1, square / freedom) / weight).squareRoot()
      * StudentQuantile.width(normal: 1, freedom: freedom)
  }
}
