/// The scale of a recording's path against that of its depths.
///
/// Overlapping frames fit best when the path between them is multiplied by a factor. The scale is one
/// over that factor: 0.97 says that the path is 3 % short, or depths 3 % long, and not which. Only
/// a known length decides.
public struct PathScale: Sendable, Hashable {
  /// Path over depth: 1 where both agree.
  public var ratio: Double
  /// One standard deviation of the ratio.
  public var sigma: Double
  /// The number of pairs of frames that it comes from.
  public var pairCount: Int

  /// The least ± that is stated: that of looking up depths between pixels.
  static let leastSigma = 0.002
  /// The parts of the recording, each of which is left out once.
  static let partCount = 8
  /// The least number of pairs for a ±.
  static let leastPairs = 8

  /// Joins the factors of pairs in the order of time; `nil` where there are too few.
  ///
  /// The mean is weighted by what each pair knows. Pairs of one part of a recording see the same
  /// surfaces and share errors, so that the ± comes from leaving out one part after the other.
  /// - Source: B. Efron, C. Stein, *The Jackknife Estimate of Variance*, Annals of Statistics 9,
  ///   1981, with blocks.
  init?(_ factors: [FrameOverlap.PathFactor]) {
    guard factors.count >= Self.leastPairs else { return nil }
    func mean(without part: Int?) -> Double? {
      var (sum, weight) = (0.0, 0.0)
      for (index, factor) in factors.enumerated()
      where index * Self.partCount / factors.count != part {
        sum += factor.weight * factor.value
        weight += factor.weight
      }
      return weight > 0 ? sum / weight : nil
    }
    let parts = (0..<Self.partCount).compactMap { mean(without: $0).map { 1 / $0 } }
    guard let all = mean(without: nil), parts.count == Self.partCount else { return nil }
    let center = parts.reduce(0, +) / Double(parts.count)
    let squares = parts.reduce(0) { $0 + ($1 - center) * ($1 - center) }
    ratio = 1 / all
    let spread = (squares * Double(parts.count - 1) / Double(parts.count)).squareRoot()
    sigma = (spread * spread + Self.leastSigma * Self.leastSigma).squareRoot()
    pairCount = factors.count
  }

  /// Whether path and depth differ by more than chance and a percent.
  ///
  /// Two and a half standard deviations: of eighty recordings without a difference one is named.
  var isDoubtful: Bool { abs(ratio - 1) > max(0.01, 2.5 * sigma) }
}
