import PlumblineGeometry
import PlumblineModel
import PlumblineTestSupport
import Testing

@testable import PlumblineFaces

@Suite struct VertexDistanceTests {
  private func result(
    _ head: SimulatedHead, depth: Bool, scaleSigmaShare: Double = 0.002
  ) throws -> FaceResult {
    let fitter = FaceFitter(head.model)
    let observation = depth ? head.full : head.plain
    let fit = try fitter.fit(observation)
    let refined = observation.depth.map { FaceRefiner(fitter).refined(fit, by: $0) }
    return FaceResult(
      observation, fit, refined: refined, model: head.model, scaleSigmaShare: scaleSigmaShare,
      isCameraKnown: true)
  }

  /// The truth is the true surface on the lines of sight of both positions.
  @Test func theUncertaintyCoversTheTruth() throws {
    let model = try SyntheticFaces.coarseModel()
    var generator = SeededGenerator(seed: 8)
    var (covered, total, far) = (0, 0, 0)
    for seed in 1...8 as ClosedRange<UInt64> {
      let head = SimulatedHead(model, seed: seed, settings: SyntheticFaces.small)
      let result = try result(head, depth: true)
      let positions = result.mesh.positions
      let residuals = try #require(result.mesh.residualMeters)
      let errors = head.errors(of: positions, among: residuals.map { !$0.isNaN })
      let known = errors.indices.filter { !errors[$0].isNaN }
      let normals = try #require(result.mesh.normals)
      func truth(_ vertex: Int) -> SIMD3<Double> {
        let place = positions[vertex].vector
        return place * (1 - Double(errors[vertex]) / (normals[vertex].vector * place).sum())
      }
      for _ in 0..<60 {
        let pair = VertexPair(
          try #require(known.randomElement(using: &generator)),
          try #require(known.randomElement(using: &generator)))
        guard pair.first != pair.second else { continue }
        let distance = result.distance(pair)
        let way = truth(pair.second) - truth(pair.first)
        let error = abs(distance.meters - (way * way).sum().squareRoot())
        let reversed = result.distance(VertexPair(pair.second, pair.first))
        // Sums of the same numbers in another order.
        #expect(distance.isMeasured && abs(distance.sigmaMeters - reversed.sigmaMeters) < 1e-12)
        total += 1
        if error <= distance.sigmaMeters { covered += 1 }
        if error > 4 * distance.sigmaMeters { far += 1 }
      }
    }
    // 8 heads, whose errors are shared over centimeters; the greater of two shares counts, so more are covered than
    // 68 %.
    let share = Double(covered) / Double(total)
    #expect(share > 0.6 && far * 50 <= total, "\(share) of \(total), \(far) far off")
  }

  @Test func whatTheModelSaysErrsInAnyDirection() throws {
    let model = try SyntheticFaces.coarseModel()
    let head = SimulatedHead(model, seed: 3, settings: SyntheticFaces.small)
    let result = try result(head, depth: false)
    let sigmas = try #require(result.mesh.sigmaMeters)
    let pair = VertexPair(5, model.vertexCount - 1)
    let distance = result.distance(pair)
    let common = distance.meters * result.scale.sigmaShare
    let (a, b) = (Double(sigmas[pair.first]), Double(sigmas[pair.second]))
    // Sums of squares of single-precision numbers, in double precision.
    #expect(abs(distance.sigmaMeters - (a * a + b * b + common * common).squareRoot()) < 1e-12)
    #expect(!distance.isMeasured && result.area.measuredSquareMeters == 0)
    #expect(result.area.sigmaShare == 2 * result.scale.sigmaShare)
  }

  @Test func theScaleErrsForBothEndsTogether() throws {
    let model = try SyntheticFaces.coarseModel()
    let head = SimulatedHead(model, seed: 4, settings: SyntheticFaces.small)
    let sure = try result(head, depth: true, scaleSigmaShare: 0)
    let unsure = try result(head, depth: true, scaleSigmaShare: 0.05)
    for pair in [VertexPair(0, 9), VertexPair(3, 200), VertexPair(7, 7)] {
      let (own, all) = (sure.distance(pair), unsure.distance(pair))
      let common = 0.05 * own.meters
      #expect(own.meters == all.meters)
      #expect(
        abs(all.sigmaMeters * all.sigmaMeters - own.sigmaMeters * own.sigmaMeters - common * common)
          < 1e-15)
    }
    let area = sure.area
    #expect(abs(area.squareMeters - sure.mesh.surfaceArea) < 1e-9)
    #expect(area.measuredSquareMeters > 0 && area.measuredSquareMeters < area.squareMeters)
  }
}
