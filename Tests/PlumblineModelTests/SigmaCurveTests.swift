import PlumblineModel
import Testing

@Suite struct SigmaCurveTests {
  @Test func partsAddAsVariances() {
    let curve = SigmaCurve(constantMeters: 0.003, perMeter: 0.002, perMeterSquared: 0.003)
    // 0.003² + 0.004² + 0.012² = 0.013² at 2 m.
    #expect(abs(curve.sigmaMeters(atDepth: 2) - 0.013) < 1e-15)
    #expect(SigmaCurve().sigmaMeters(atDepth: 3) == 0)
    #expect(curve.sigmaMeters(atDepth: .nan).isNaN)
  }

  @Test func twoCausesAddAtEveryDepth() {
    let a = SigmaCurve(constantMeters: 0.003, perMeter: 0.01, perMeterSquared: 0.001)
    let b = SigmaCurve(constantMeters: 0.001, perMeter: 0.02, perMeterSquared: 0.005)
    let both = a.adding(b)
    for depth in [0.2, 1, 4.5] {
      let (sigmaA, sigmaB) = (a.sigmaMeters(atDepth: depth), b.sigmaMeters(atDepth: depth))
      let expected = (sigmaA * sigmaA + sigmaB * sigmaB).squareRoot()
      // Relative, a few roundings in double precision.
      #expect(abs(both.sigmaMeters(atDepth: depth) / expected - 1) < 1e-14)
    }
  }
}
