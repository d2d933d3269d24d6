import PlumblineCorrection
import PlumblineModel
import PlumblineTestSupport
import Testing

@Suite("The ± of a map goes through the fit to known distances")
struct DistanceFitSigmaTests {
  static let size = RasterSize(width: 16, height: 6)

  /// A relative map: true disparity is `scale·stored + offset`.
  static func fit(scale: Double, offset: Double) throws -> (fit: DistanceFit, stored: DepthMap) {
    let depths = (0..<size.width).map { 0.5 + 0.1 * Double($0) }
    let stored = DepthMap(
      meters: Raster(size: size) { x, _ in Float(scale / (1 / depths[x] - offset)) })
    let ends = [3, 12].map { KnownDistance(x: $0, y: 3, meters: depths[$0]) }
    return (try DistanceFit(ends, in: stored.disparityMap), stored)
  }

  @Test(arguments: [(1.0, 0.0), (0.01, 0.0), (40.0, 0.05), (0.8, -0.1)])
  func aStepOfTheStoredDepthIsTheStepOfTheNewOne(scale: Double, offset: Double) throws {
    let (fit, stored) = try Self.fit(scale: scale, offset: offset)
    let metric = fit.applied(to: stored)
    let share: Float = 0.001
    let moved = fit.applied(to: DepthMap(meters: stored.meters.map { $0 * (1 + share) }))
    let sigma = fit.applied(to: stored.meters.map { $0 * share }, of: stored)
    for x in 0..<Self.size.width {
      let step = moved.meters[x, 2] - metric.meters[x, 2]
      // Curvature of the reciprocal and single precision, of a step of a thousandth.
      #expect(abs(sigma[x, 2] / step - 1) < 0.005, "\(x): \(sigma[x, 2]), \(step)")
    }
  }

  @Test func whatIsMissingHasNoSigma() throws {
    let (fit, stored) = try Self.fit(scale: 0.8, offset: -0.1)
    var holes = stored
    holes.meters[4, 2] = .nan
    // So far that the line is not above 0.
    holes.meters[5, 2] = 1000
    let sigma = fit.applied(to: Raster(size: Self.size, repeating: 0.1), of: holes)
    let depth = fit.applied(to: holes)
    for x in 0..<Self.size.width {
      #expect(sigma[x, 2].isNaN == depth.meters[x, 2].isNaN, "\(x)")
    }
    #expect(sigma[4, 2].isNaN && sigma[5, 2].isNaN && !sigma[6, 2].isNaN)
  }

  @Test("The corrected map brings the ± of its own depths, cropped as they are")
  func correctedDepthCarriesIt() throws {
    let (fit, stored) = try Self.fit(scale: 40, offset: 0.05)
    var record = DepthRecord(values: .depth(stored), storedType: "fdep", accuracy: .relative)
    record.hasUnit = false
    record.sigmaMeters = stored.meters.map { $0 * 0.02 }
    let plain = try CorrectedDepth(record)
    #expect(plain.sigmaMeters == record.sigmaMeters && !plain.isMetric)
    let metric = try CorrectedDepth(record, knownDistances: fit.distances)
    let own = try #require(record.sigmaMeters)
    #expect(metric.sigmaMeters == fit.applied(to: own, of: stored))
    let crop = PixelRectangle(x: 2, y: 1, width: 12, height: 4)
    record.cleanAperture = crop
    let cropped = try CorrectedDepth(record)
    #expect(cropped.sigmaMeters == own.cropped(to: crop))
    record.sigmaMeters = Raster(size: RasterSize(width: 3, height: 3), repeating: 1)
    #expect(try CorrectedDepth(record).sigmaMeters == nil)
  }
}
