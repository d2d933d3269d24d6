import PlumblineModel
import PlumblineTestSupport
import Testing

@testable import PlumblineCorrection

/// The kernel of hole filling against its description.
@Suite struct HoleFillingTwinTests {
  /// Limits that a noisy scene meets about as often as not.
  static let wide: HoleFilling.SurfaceAgreement = {
    var agreement = HoleFilling.SurfaceAgreement()
    agreement.agreementSigmas = 20
    agreement.outlierSigmas = 100
    agreement.resultSigmas = 30
    agreement.colorSigmaCodes = nil
    return agreement
  }()

  static let rules: [HoleFilling.Rule] = [
    .surface(wide), .surface(HoleFilling.SurfaceAgreement()), .left, .farthest, .nearest,
  ]

  @Test(arguments: rules, [UInt64(11), 12, 13])
  func fillsAsDescribed(_ rule: HoleFilling.Rule, _ seed: UInt64) {
    let size = RasterSize(width: 47, height: 29)
    let frame = FilterScenes.noisy(size, seed: seed, holes: 0.2)
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
    // The limits of the product fill little of so noisy a scene.
    #expect(decided > 20 || rule == .surface(HoleFilling.SurfaceAgreement()))
    // A limit that is met to rounding may fall to either side.
    #expect(differing <= 2)
  }
}
