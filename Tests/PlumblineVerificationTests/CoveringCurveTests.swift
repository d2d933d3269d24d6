import PlumblineModel
@testable import PlumblineVerification
import Testing

@Suite("A curve over given ones")
struct CoveringCurveTests {
  static let depths = (0...32).map { 0.4 + 0.1 * Double($0) }

  @Test(arguments: [
    SigmaCurve(constantMeters: 0.005), SigmaCurve(perMeter: 0.02),
    SigmaCurve(perMeterSquared: 0.003),
    SigmaCurve(constantMeters: 0.005, perMeter: 0.01, perMeterSquared: 0.004),
  ])
  func aCurveOfItsOwnFormIsFoundAgain(curve: SigmaCurve) {
    let found = SigmaCurve(
      covering: Self.depths.map { ($0, curve.sigmaMeters(atDepth: $0)) })
    for depth in Self.depths {
      let ratio = found.sigmaMeters(atDepth: depth) / curve.sigmaMeters(atDepth: depth)
      #expect(abs(ratio - 1) < 1e-6, "\(depth): \(ratio)")
    }
  }

  /// Least in the middle, as the σ of a line through two known distances.
  @Test(arguments: [0.002, 0.01, 0.1])
  func itIsNowhereBelowAndTouchesSomewhere(ends: Double) {
    let points = Self.depths.map { depth -> (depth: Double, sigma: Double) in
      let weight = (1 / depth - 2) / (0.5 - 2)
      let one = (1 - weight) * ends, other = weight * ends
      return (depth, depth * depth * (one * one + other * other).squareRoot())
    }
    let curve = SigmaCurve(covering: points)
    let ratios = points.map { curve.sigmaMeters(atDepth: $0.depth) / $0.sigma }
    #expect(ratios.allSatisfy { $0 > 1 - 1e-6 })
    #expect((ratios.min() ?? 0) < 1 + 1e-6)
    // One part alone is 2.6 times σ on average.
    #expect(ratios.reduce(0, +) / Double(ratios.count) < 1.5, "\(ratios)")
  }

  @Test func nothingGivesNothing() {
    #expect(SigmaCurve(covering: []) == SigmaCurve())
  }
}
