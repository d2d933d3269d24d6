import PlumblineTestSupport
import Testing

@Suite struct SeededGeneratorTests {
  @Test func givesThePublishedNumbersOfSplitMix64() {
    // The first numbers for seed 1234567 that implementations of SplitMix64 are checked with.
    var generator = SeededGenerator(seed: 1_234_567)
    let expected: [UInt64] = [
      6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
    ]
    #expect(expected.map { _ in generator.next() } == expected)
  }

  @Test func gaussianDrawsHaveMeanZeroAndDeviationOne() {
    var generator = SeededGenerator(seed: 7)
    let draws = (0..<100_000).map { _ in generator.gaussian() }
    let mean = draws.reduce(0, +) / 100_000
    let variance = draws.reduce(0) { $0 + $1 * $1 } / 100_000 - mean * mean
    // Four standard errors: 1/√n for the mean, √(2/n) for the variance.
    #expect(abs(mean) < 4 * 0.003_163)
    #expect(abs(variance - 1) < 4 * 0.004_473)
  }

  @Test func splitGeneratorsDiffer() {
    var generator = SeededGenerator(seed: 1)
    var other = generator.split()
    #expect(generator.next() != other.next())
  }
}
