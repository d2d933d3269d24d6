import PlumblineCorrection
import Testing

/// The paper's examples, and what its law is an expansion of; tolerance: the printed digits.
@Suite struct FocalFromPairTests {
  static let tablet = FocalFromPair(
    avfoundation: .init(focalLength: 1781.78, referenceWidth: 2016),
    arkit: .init(focalLength: 1916.17, referenceWidth: 2880))

  @Test func equations5To7GiveThePrintedNumber() {
    #expect(abs(Self.tablet.avfoundation(atWidth: 640).pixels - 525.97) < 0.005)
  }

  @Test func equations8To10GiveThePrintedAndTheExactNumber() {
    #expect(abs(Self.tablet.arkitAsPrinted(atWidth: 640).pixels - 361.58) < 0.005)
    #expect(abs(Self.tablet.arkit(atWidth: 640).pixels - 368.18) < 0.005)
    // Without a correction the stated value stays.
    let stated: Double = 1916.17 * 640 / 2880
    #expect(abs(stated - 425.82) < 0.005)
  }

  @Test(arguments: [1e-2, 1e-3, 1e-4])
  func thePrintedLawIsTheFirstOrderOfTheExactOne(_ excess: Double) {
    let pair = FocalFromPair(
      avfoundation: .init(focalLength: 1000, referenceWidth: 1000),
      arkit: .init(focalLength: 1000 * (1 + excess), referenceWidth: 1000))
    let difference = pair.arkit(atWidth: 1000).pixels - pair.arkitAsPrinted(atWidth: 1000).pixels
    // g(3 − 2g) against 1/g with g = 1 + e: the second order is 3e².
    #expect(abs(difference / (1000 * excess * excess) - 3) < 10 * excess)
  }

  /// The propagated ± against what finite differences of the two inputs give.
  @Test func sigmaIsThatOfTheInputsAndTheLaw() {
    let pair = Self.tablet
    let laws: [(FocalFromPair) -> FocalFromPair.Estimate] = [
      { $0.avfoundation(atWidth: 640) }, { $0.arkit(atWidth: 640) },
      { $0.arkitAsPrinted(atWidth: 640) },
    ]
    let shares = [0.0113, (0.0113 * 0.0113 + 0.018 * 0.018).squareRoot()]
    for (index, law) in laws.enumerated() {
      let base = law(pair)
      var first = pair
      first.avfoundation.focalLength += pair.avfoundation.sigma
      var second = pair
      second.arkit.focalLength += pair.arkit.sigma
      let a = law(first).pixels - base.pixels
      let b = law(second).pixels - base.pixels
      let c = base.pixels * shares[min(index, 1)]
      // 1 %: the finite step's own second order.
      #expect(abs(base.sigmaPixels / (a * a + b * b + c * c).squareRoot() - 1) < 0.01)
    }
    // The board's 531.97 px lies within one standard deviation and a bit, as it must.
    let estimate = pair.avfoundation(atWidth: 640)
    #expect(abs(531.97 - estimate.pixels) < 1.1 * estimate.sigmaPixels)
  }
}
