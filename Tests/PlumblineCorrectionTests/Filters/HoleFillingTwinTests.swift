import PlumblineModel
import PlumblineTestSupport
import Testing

@testable import PlumblineCorrection

/// The kernel of hole filling against its description.
@Suite struct HoleFillingTwinTests {
  static let rules: [HoleFilling.Rule] = [
    .surface(HoleFilling.SurfaceAgreement()), .left, .farthest, .nearest,
  ]

  /// Two leaning planes, the right one 0.3 m farther, with half a σ of noise; a fifth is missing.
  static func planes(_ size: RasterSize, seed: UInt64) -> DepthFrame {
    var generator = SeededGenerator(seed: seed)
    let meters = Raster<Float>(size: size) { x, y in
      let isMissing = Float.random(in: 0..<1, using: &generator) < 0.2
      let noise = Float.random(in: -0.001...0.001, using: &generator)
      let plane = 1 + 0.002 * Float(x) + 0.003 * Float(y) + (x < 30 ? 0 : 0.3)
      return isMissing ? .nan : plane + noise
    }
    return DepthFrame(
      depth: DepthMap(meters: meters), sigma: SigmaCurve(constantMeters: 0.002))
  }

  @Test(arguments: rules, [UInt64(11), 12, 13])
  func fillsAsDescribed(_ rule: HoleFilling.Rule, _ seed: UInt64) {
    let size = RasterSize(width: 47, height: 29)
    let frame = Self.planes(size, seed: seed)
    let filled = HoleFilling(rule: rule, reachPixels: 6).applied(to: frame).frame
    let slow = SlowHoleFilling(frame, reach: 6)
    var decided = 0
    var differing = 0
    for y in 0..<size.height {
      for x in 0..<size.width where !(frame.depth.meters[x, y] > 0) {
        let fast = filled.depth.meters[x, y]
        let expected = slow.depth(x, y, rule)
        guard let expected, fast > 0 else {
          differing += (expected != nil) == (fast > 0) ? 0 : 1
          continue
        }
        decided += 1
        // Values go through single precision once, the plane through double: 1e-5 of the depth.
        #expect(abs(Double(fast) / expected - 1) < 1e-5, "at (\(x), \(y))")
      }
    }
    #expect(decided > 100)
    // A limit that is met to rounding may fall to either side.
    #expect(differing <= 2)
  }
}
