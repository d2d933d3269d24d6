import PlumblineGeometry
import PlumblineModel
import PlumblineTestSupport
import Testing
@testable import PlumblineNumerics

@testable import PlumblineFaces

@Suite struct SurfaceDisplacementTests {
  /// A patch of which a third was measured, with some noise.
  private struct Patch {
    let model: MorphableModel
    let prior: SurfacePrior
    var targets: [Float]
    var weights: [Float]

    init(side: Int, seed: UInt64) throws {
      model = try SyntheticFaces.plane(side: side, spacing: 0.005)
      prior = SurfacePrior.field(on: model.mean, model, sigmaMeters: 0.001, rangeMeters: 0.014)
      var generator = SeededGenerator(seed: seed)
      targets = model.mean.map { _ in Float(0.001 * generator.gaussian()) }
      weights = model.mean.map { _ in
        let sigma = Float(0.0002 + 0.0008 * generator.uniform())
        return generator.uniform() < 0.35 ? 1 / (sigma * sigma) : 0
      }
    }

    /// Q + W, factored.
    func dense() throws -> CholeskyFactor {
      var matrix = DensePrior.matrix(prior, count: model.vertexCount)
      for vertex in weights.indices { matrix[vertex, vertex] += Double(weights[vertex]) }
      return try #require(matrix.cholesky)
    }
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func theFieldIsThatOfTheFullMatrix(seed: UInt64) throws {
    let patch = try Patch(side: 15, seed: seed)
    let found = SurfaceDisplacement.mostLikely(
      under: patch.prior, patch.model, targets: patch.targets, weights: patch.weights, seed: 1)
    let right = zip(patch.targets, patch.weights).map { Double($0) * Double($1) }
    let exact = try patch.dense().solve(right)
    let maximum = exact.map(abs).max() ?? 0
    for (a, b) in zip(found.meters, exact) {
      // The residual at which conjugate gradients stop, 1e-4, through single precision.
      #expect(abs(Double(a) - b) < 2e-3 * maximum, "\(a) and \(b)")
    }
  }

  /// The ± of drawn fields is that of the inverse matrix, averaged over neighbors as they are.
  @Test func drawnSigmasAreThoseOfTheFullMatrix() throws {
    var ratios: [Double] = []
    for seed in 1...4 as ClosedRange<UInt64> {
      let patch = try Patch(side: 13, seed: seed)
      let found = SurfaceDisplacement.mostLikely(
        under: patch.prior, patch.model, targets: patch.targets, weights: patch.weights, seed: seed,
        laneCount: 64)
      var variances = DensePrior.inverseDiagonal(try patch.dense())
      for _ in 0..<SurfaceDisplacement.averagingPasses {
        variances = variances.indices.map { vertex in
          let around = patch.model.neighbors[vertex]
          return around.reduce(variances[vertex]) { $0 + variances[Int($1)] }
            / Double(around.count + 1)
        }
      }
      let shares = found.sigmas.indices.map {
        Double(found.sigmas[$0] * found.sigmas[$0]) / variances[$0]
      }
      ratios.append(shares.reduce(0, +) / Double(shares.count))
      // One vertex: 63 fields know a variance to 18 %; four times that.
      for share in shares { #expect((0.3...1.75).contains(share), "\(share)") }
    }
    // Some ten independent positions of 63 fields each and four seeds: 3 %; four times that.
    let mean = ratios.reduce(0, +) / 4
    #expect(abs(mean - 1) < 0.12, "\(ratios)")
  }

  @Test func nothingMeasuredIsNothingMoved() throws {
    let patch = try Patch(side: 17, seed: 1)
    let none = [Float](repeating: 0, count: patch.targets.count)
    let found = SurfaceDisplacement.mostLikely(
      under: patch.prior, patch.model, targets: patch.targets, weights: none, seed: 3, laneCount: 64
    )
    #expect(found.meters == none)
    // The middle has the prior's spread: 63 fields know it to 9 %, four times that.
    let middle = found.sigmas[17 * 17 / 2]
    #expect(abs(middle / 0.001 - 1) < 0.36, "\(middle)")
  }

  @Test func theSameSeedGivesTheSameBits() throws {
    let patch = try Patch(side: 9, seed: 5)
    func solved(_ seed: UInt64) -> SurfaceDisplacement {
      SurfaceDisplacement.mostLikely(
        under: patch.prior, patch.model, targets: patch.targets, weights: patch.weights, seed: seed)
    }
    let (one, two, other) = (solved(1), solved(1), solved(2))
    #expect(one.meters == two.meters && one.sigmas == two.sigmas)
    // The field itself needs no drawn numbers.
    #expect(one.sigmas != other.sigmas)
    for (a, b) in zip(one.meters, other.meters) { #expect(abs(a - b) < 2e-6) }
  }

  @Test func drawnNumbersLookNormal() {
    var generator = DrawnNumbers(seed: 1)
    let numbers = (0..<20_000).map { _ in Double(generator.gaussian()) }
    let mean = numbers.reduce(0, +) / 20_000
    let variance = numbers.reduce(0) { $0 + $1 * $1 } / 20_000
    // Five standard deviations of each: 1/√20000 and √(2/20000).
    #expect(abs(mean) < 0.036 && abs(variance - 1) < 0.05, "\(mean), \(variance)")
    let within = numbers.count { abs($0) < 1 }
    #expect((13_300...14_000).contains(within), "\(within)")
  }
}
