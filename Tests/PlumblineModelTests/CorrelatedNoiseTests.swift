import PlumblineModel
import Testing

@Suite("What averaging neighbors gains")
struct CorrelatedNoiseTests {
  @Test("One pixel gains nothing, L + 2 columns gain a half, and never more than independent ones")
  func law() {
    for law in [CorrelatedNoise.trueDepth, .lidar] {
      for width in [256, 640] {
        let length = law.lengthShare * Double(width)
        #expect(law.share(ofMeanOver: 1, mapWidth: width) == 1)
        // Exact but for rounding.
        #expect(abs(law.share(ofMeanOver: length + 2, mapWidth: width) - 0.5) < 1e-12)
        var before = 1.0
        for side in 2...200 {
          let share = law.share(ofMeanOver: Double(side), mapWidth: width)
          #expect(share < before && share >= 1 / Double(side))
          before = share
        }
      }
    }
    let count = CorrelatedNoise.independent.effectiveCount(ofMeanOver: 5, mapWidth: 640)
    #expect(abs(count - 25) < 1e-12)
  }

  @Test("32×32 pixels of TrueDepth are worth three, not 1024")
  func effectiveCount() {
    let count = CorrelatedNoise.trueDepth.effectiveCount(ofMeanOver: 32, mapWidth: 640)
    #expect(count > 3 && count < 3.2)
  }
}
