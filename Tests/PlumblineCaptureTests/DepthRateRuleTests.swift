import PlumblineCapture
import PlumblineTestSupport
import Testing

@Suite("Rates of depth beside video")
struct DepthRateRuleTests {
  static let iOS11 = DepthRateRule(system: SystemVersion(11))
  static let iOS12 = DepthRateRule(system: SystemVersion(12))

  @Test("WWDC17's examples: 24 gives 24, 30 gives 15", arguments: [(24.0, 24.0), (30, 15), (3, 3)])
  func table(video: Double, depth: Double) {
    #expect(Self.iOS11.framesPerSecond(besideVideo: video, in: 2...24) == depth)
    #expect(Self.iOS12.framesPerSecond(besideVideo: video, in: 2...24) == depth)
  }

  @Test("TrueDepth runs at 30 beside 30, at 30 beside 60, at 20 beside 60 capped at 24")
  func trueDepth() {
    #expect(Self.iOS12.framesPerSecond(besideVideo: 30, in: 2...30) == 30)
    #expect(Self.iOS12.framesPerSecond(besideVideo: 60, in: 2...30) == 30)
    #expect(Self.iOS12.framesPerSecond(besideVideo: 60, in: 2...30, cap: 24) == 20)
  }

  @Test("Only iOS 12 and later can cap the rate")
  func cap() {
    #expect(Self.iOS11.framesPerSecond(besideVideo: 30, in: 2...30, cap: 10) == 30)
    #expect(Self.iOS12.framesPerSecond(besideVideo: 30, in: 2...30, cap: 10) == 10)
    #expect(!Self.iOS11.canCap && Self.iOS12.canCap)
  }

  @Test("A rate below the depth format's slowest is none")
  func tooSlow() {
    #expect(Self.iOS12.framesPerSecond(besideVideo: 30, in: 25...28) == nil)
    #expect(Self.iOS12.framesPerSecond(besideVideo: 0, in: 2...30) == nil)
    #expect(Self.iOS12.framesPerSecond(besideVideo: 30, in: 2...30, cap: 1) == nil)
  }

  @Test("The rate is the largest whole fraction that fits, as trying all of them finds it")
  func oracle() {
    var generator = SeededGenerator(seed: 4)
    for _ in 0..<500 {
      let video = Double(Int.random(in: 1...240, using: &generator))
      let low = Double(Int.random(in: 1...20, using: &generator))
      let high = low + Double(Int.random(in: 0...60, using: &generator))
      let rate = Self.iOS12.framesPerSecond(besideVideo: video, in: low...high)
      let fractions = (1...240).map { video / Double($0) }
      // The rule allows a thousandth of rounding at both ends.
      #expect(rate == fractions.first { $0 <= high * 1.00001 && $0 >= low - 1e-3 })
      if let rate { #expect(rate <= video) }
    }
  }
}
