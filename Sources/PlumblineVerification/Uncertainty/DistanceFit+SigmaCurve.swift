import PlumblineCorrection
import PlumblineModel

extension DistanceFit {
  /// The gentlest curve that is nowhere below the fit's own σ within a range of depths.
  ///
  /// The fit's σ is least between its distances and grows away from them, which no sum of powers of
  /// `z` follows exactly; a curve taken at one depth would promise too much at all others.
  ///
  /// - Parameters:
  ///   - range: Depths in meters, above 0.
  ///   - noise: The map's own noise where the distances were taken.
  /// - Returns: A curve; see ``SigmaCurve/init(covering:)``. Cost: O(1), about a millisecond.
  func sigmaCurve(over range: ClosedRange<Double>, noise: MapNoise = .none) -> SigmaCurve {
    // Evenly spaced in disparity, in which the fit is a line; σ bends too little to matter between.
    SigmaCurve(
      covering: (0...32).map { index in
        let share = Double(index) / 32
        let depth = 1 / ((1 - share) / range.lowerBound + share / range.upperBound)
        return (depth, sigmaMeters(atDepth: depth, noise: noise))
      })
  }
}

extension DepthMap {
  /// The depths between which 98 % of the measured pixels lie, 1 % being nearer and 1 % farther;
  /// `nil` without a measured pixel.
  ///
  /// Single wrong matches lie anywhere. A curve that covers them is several times too large for
  /// all others.
  ///
  /// - Returns: Meters; of more than 65,536 pixels of every *n*-th. Cost: O(*n*).
  var usualRange: ClosedRange<Double>? {
    let samples = meters.packed.samples
    let step = max(samples.count >> 16, 1)
    let sorted = stride(from: 0, to: samples.count, by: step).map { samples[$0] }
      .filter { $0 > 0 && $0 < .infinity }.sorted()
    guard !sorted.isEmpty else { return nil }
    let last = Double(sorted.count - 1)
    return Double(sorted[Int(0.01 * last)])...Double(sorted[Int((0.99 * last).rounded(.up))])
  }
}
