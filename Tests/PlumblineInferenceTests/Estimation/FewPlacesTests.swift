@testable import PlumblineInference
import PlumblineModel
import PlumblineTestSupport
import Testing

@Suite("An estimate fitted to few distances")
struct FewPlacesTests {
  @Test("The ± of few distances holds at least two thirds and 95 %", arguments: [2, 3, 5, 10])
  func coverage(count: Int) throws {
    // Two distances determine scale and shift, so that a fit of both is not believed.
    let meanings: [ModelCard.OutputMeaning] = count == 2 ? [.meters] : [.meters, .relativeInverse]
    for meaning in meanings {
      var percents: [Double] = []
      var within = [0, 0]
      var total = 0
      for seed in UInt64(1)...150 {
        // Uniform within ± 0.14: a model that errs by 8 % of the depth.
        let scene = try FitScene(meaning, noise: 0.14, seed: seed) {
          meaning == .meters ? 0.7 / $0 : 30 * $0 + 5
        }
        var random = SeededGenerator(seed: seed &+ 1000)
        let samples = (0..<count).map { _ -> FitSample in
          let (x, y) = (
            Int.random(in: 0..<64, using: &random), Int.random(in: 0..<48, using: &random)
          )
          let meters = Double(scene.truth.meters[x, y]) + random.gaussian(mean: 0, sigma: 0.005)
          return FitSample(pixel: [Double(x), Double(y)], meters: meters, sigmaMeters: 0.005)
        }
        // What is not believed is not used.
        guard
          let fit = try? EstimateFit.fitted(scene.estimate, to: samples, target: .distances(count)),
          fit.refusal == nil
        else { continue }
        #expect(fit.sigmaMeters(atDepth: 0.1) >= 0.005, "never below the tape's")
        let (depth, sigma) = scene.estimate.fitted(by: fit)
        for (index, truth) in scene.truth.meters.samples.enumerated() where index % 7 == 0 {
          total += 1
          let error = abs(depth.meters.samples[index] - truth)
          for times in 1...2 where error < Float(times) * sigma.samples[index] {
            within[times - 1] += 1
          }
        }
      }
      percents = within.map { 100 * Double($0) / Double(total) }
      #expect(total > 10_000, "\(meaning): \(total)")
      #expect(percents[0] > 63 && percents[1] > 92, "\(meaning), \(count): \(percents)")
    }
  }

  @Test("As many distances as numbers leave no residual, and say so")
  func noResidual() throws {
    let scene = try FitScene(.relativeInverse) { 30 * $0 + 5 }
    func sample(_ x: Int, _ y: Int) -> FitSample {
      FitSample(
        pixel: [Double(x), Double(y)], meters: Double(scene.truth.meters[x, y]),
        sigmaMeters: 0.005)
    }
    let two = try EstimateFit.fitted(
      scene.estimate, to: [sample(5, 5), sample(60, 40)], target: .distances(2))
    #expect(!two.hasResidual && two.refusal != nil)
    #expect(two.summary.hasSuffix("no residual: two places determine two numbers"))
    #expect(two.sigmaMeters(atDepth: 2).isNaN)
    let three = try EstimateFit.fitted(
      scene.estimate, to: [sample(5, 5), sample(60, 40), sample(27, 33)], target: .distances(3))
    #expect(three.hasResidual && three.summary.contains("residual 0.0 %"))
    let meters = try FitScene(.meters) { 1 / $0 }
    let one = try EstimateFit.fitted(meters.estimate, to: [sample(5, 5)], target: .distances(1))
    #expect(one.summary.hasSuffix("1 place, no residual: one place determines one number"))
  }

  @Test("Student's factor is that of the tables, and falls to 1")
  func student() {
    // Half of the quantile at 97.725 %, from tables: 2.869, 2.649 and 2.284 for 4, 5 and 10.
    for (freedom, quantile) in [
      (1, 13.968), (2, 4.527), (3, 3.307), (4, 2.869), (5, 2.649), (10, 2.284),
    ] {
      // Half a percent of the expansion, which is worst at 4.
      #expect(abs(2 * FewPlaces.studentFactor(freedom) / quantile - 1) < 0.005, "\(freedom)")
    }
    #expect(abs(FewPlaces.studentFactor(10_000) - 1) < 2e-4)
  }
}
