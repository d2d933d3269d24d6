import PlumblineCorrection
import PlumblineModel

extension DistanceFit {
  /// The gentlest curve of a single part that is nowhere below the fit's own σ in a map.
  ///
  /// The fit's σ is least near its distances and grows away from them, which no sum of powers of
  /// `z` follows; a curve taken at one depth would promise too much at all others. Of the three
  /// powers, each raised until it covers the map, the one with the smallest σ at the median is
  /// taken.
  ///
  /// - Parameters:
  ///   - nearest: The least depth of the map, in meters.
  ///   - median: Its median depth, in meters.
  ///   - farthest: Its largest depth, in meters.
  ///   - noise: The map's own noise where the distances were taken.
  /// - Returns: A curve with one part above 0. Cost: O(1).
  func sigmaCurve(
    nearest: Double, median: Double, farthest: Double, noise: MapNoise = .none
  ) -> SigmaCurve {
    // Evenly spaced in disparity, in which the fit is a line; σ bends too little to matter between.
    let depths = (0...32).map { index in
      let share = Double(index) / 32
      return 1 / ((1 - share) / nearest + share / farthest)
    }
    func coefficient(_ power: (Double) -> Double) -> Double {
      depths.reduce(0) { max($0, sigmaMeters(atDepth: $1, noise: noise) / power($1)) }
    }
    let curves = [
      SigmaCurve(constantMeters: coefficient { _ in 1 }),
      SigmaCurve(perMeter: coefficient { $0 }),
      SigmaCurve(perMeterSquared: coefficient { $0 * $0 }),
    ]
    return curves.min { $0.sigmaMeters(atDepth: median) < $1.sigmaMeters(atDepth: median) }
      ?? curves[2]
  }
}
