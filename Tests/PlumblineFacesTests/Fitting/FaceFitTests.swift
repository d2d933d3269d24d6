import PlumblineGeometry
import PlumblineModel
import PlumblineTestSupport
import Testing
@testable import PlumblineNumerics

@testable import PlumblineFaces

@Suite struct FaceFitTests {
  /// The distance of two positions of a vertex, meters.
  private func distances(_ a: [PackedPoint], _ b: [PackedPoint]) -> [Float] {
    zip(a, b).map { one, other in
      let way = one.simd - other.simd
      return (way * way).sum().squareRoot()
    }.sorted()
  }

  /// Heads of the model without any error come back.
  @Test(arguments: [1, 2] as [UInt64])
  func aHeadWithoutErrorsComesBack(seed: UInt64) throws {
    let model = try SyntheticFaces.model()
    var settings = SyntheticFaces.exact
    settings.pixelStep = 3
    let head = SimulatedHead(model, seed: seed, settings: settings)
    var fitter = FaceFitter(model)
    fitter.detailSigmaMeters = 0.0002
    let fit = try fitter.fit(head.full)
    #expect(fit.usesDepth && fit.landmarkError < 0.01, "\(fit.landmarkError)")
    // Along normals: priors pull by less than the sigma of an anchor over its number, 0.1 mm.
    let errors = head.absoluteErrors(of: fit.positions(in: model))
    let middle = try #require(errors.middle)
    #expect(middle < 0.00015, "\(middle)")
    // Along the skin nothing but landmarks fixes positions: their own sigma is 1.5 mm.
    let all = distances(fit.positions(in: model), head.truth.positions)
    #expect(try #require(all.middle) < 0.001, "\(String(describing: all.middle))")
    let angle = (fit.state.cameraFromHead.rotation * head.cameraFromHead.rotation.inverse).axisAngle
    #expect((angle * angle).sum().squareRoot() < 0.03, "\(angle)")
  }

  @Test func theSameHeadGivesTheSameBits() throws {
    let model = try SyntheticFaces.coarseModel()
    let head = SimulatedHead(model, seed: 4, settings: SyntheticFaces.small)
    let fitter = FaceFitter(model)
    let (one, two) = (try fitter.fit(head.full), try fitter.fit(head.full))
    #expect(one.state == two.state && one.information.values == two.information.values)
    let refiner = FaceRefiner(fitter)
    let (a, b) = (
      refiner.refined(one, by: head.measured), refiner.refined(two, by: head.measured)
    )
    #expect(a.positions == b.positions && a.sigmaMeters == b.sigmaMeters)
    #expect(a.pixelResidualMeters == b.pixelResidualMeters)
  }

  /// Without depth the size is that of the model's people; its ± covers the truth as often as said.
  @Test func theScaleWithoutDepthIsCovered() throws {
    let model = try SyntheticFaces.coarseModel()
    var settings = SyntheticFaces.small
    settings.detailMeters = 0
    // No pixel of a map is used.
    settings.pixelStep = 12
    settings.landmarkPixels = 0.025
    let fitter = FaceFitter(model)
    var covered = 0
    var sum = 0.0
    var ratios: [Double] = []
    for seed in 1...40 as ClosedRange<UInt64> {
      let head = SimulatedHead(model, seed: seed, settings: settings)
      let fit = try fitter.fit(head.plain)
      #expect(!fit.usesDepth)
      let sigma = fit.sizeSigmaShare(in: model)
      let error = size(fit.positions(in: model), model) / size(head.truth.positions, model) - 1
      ratios.append(error / sigma)
      sum += sigma
      if abs(error) <= sigma { covered += 1 }
    }
    // Size alone has 3 % of spread, proportions some more; landmarks tell a part.
    #expect((0.01...0.06).contains(sum / 40), "\(sum / 40)")
    // 68 % of 40 are 27.3 ± 3.0: three standard deviations of a binomial number.
    #expect((18...36).contains(covered), "\(covered) of 40: \(ratios.sorted())")
  }

  /// The root mean square of the landmarks' distances from their middle, the size that ± refers to.
  private func size(_ positions: [PackedPoint], _ model: MorphableModel) -> Double {
    let points = model.anchors.compactMap { $0 }.map { positions[$0.vertices.x].vector }
    let center = points.reduce(.zero, +) / Double(points.count)
    let sum = points.reduce(0) { $0 + (($1 - center) * ($1 - center)).sum() }
    return (sum / Double(points.count)).squareRoot()
  }

  @Test func anIdentityThatIsKnownStays() throws {
    let model = try SyntheticFaces.coarseModel()
    let head = SimulatedHead(model, seed: 6, settings: SyntheticFaces.small)
    let fit = try FaceFitter(model).fit(head.full, identity: head.shape.identity)
    #expect(fit.state.shape.identity == head.shape.identity)
    let errors = head.absoluteErrors(of: fit.positions(in: model))
    // The head's detail is 0.6 mm.
    #expect(try #require(errors.middle) < 0.0007, "\(String(describing: errors.middle))")
  }

  @Test func expressionsStayWithinTheirShares() throws {
    let model = try SyntheticFaces.coarseModel()
    var settings = SyntheticFaces.small
    settings.expression = 2
    settings.expressionShare = 0.7
    for seed in 1...4 as ClosedRange<UInt64> {
      let head = SimulatedHead(model, seed: seed, settings: settings)
      let shares = try FaceFitter(model).fit(head.full).state.shape.expression
      #expect(shares.allSatisfy { (0...1).contains($0) }, "\(shares)")
      #expect(shares.contains { $0 > 0.5 })
    }
  }

  @Test func landmarksThatAreNoFaceAreRefused() throws {
    let model = try SyntheticFaces.coarseModel()
    let head = SimulatedHead(model, seed: 7, settings: SyntheticFaces.small)
    let fitter = FaceFitter(model)
    var flat = head.landmarks
    flat.points = flat.points.map { _ in [80, 100] }
    flat.relativeDepths = flat.relativeDepths.map { _ in 0 }
    var wild = head.landmarks
    wild.points[5].x = .nan
    for landmarks in [nil, flat, wild] {
      #expect(throws: FaceFitError.self) {
        try fitter.fit(FaceObservation(landmarks: landmarks, camera: head.camera))
      }
    }
  }
}
