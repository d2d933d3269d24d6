import PlumblineCorrection
import PlumblineModel
import PlumblineTestSupport
@testable import PlumblineVerification
import Testing

/// What `check` says of a relative map of two images that two known distances made metric.
@Suite("The ± of a stereo map after known distances")
struct FittedSigmaTests {
  static let size = RasterSize(width: 64, height: 48)
  /// Stored depths count baselines of a centimeter, as those of a pair without a calibration do.
  static let unit = 100.0
  /// σ of the reciprocal depth, in 1/m: what matching leaves.
  static let noise = 0.004
  static let known = [(x: 12, meters: depth(12)), (x: 52, meters: depth(52))]

  /// Eight steps from 1.2 to 2.8 m: a slope would add to the scatter around the known distances.
  static func depth(_ x: Int) -> Double { 1.2 + 1.6 * Double(x / 8) / 7 }

  /// Walls one behind the other, with errors that squares of 8×8 pixels share, and wrong matches.
  static func record(
    _ random: inout SeededGenerator, wrongMatches: Int = 0
  ) -> DepthRecord {
    let errors = Raster(size: RasterSize(width: 8, height: 6)) { _, _ in
      random.gaussian(mean: 0, sigma: noise)
    }
    let depth = Raster(size: size) { x, y -> Float in
      if y * size.width + x < wrongMatches { return Float(unit * 20) }
      return Float(unit / (1 / Self.depth(x) + errors[x / 8, y / 8]))
    }
    var record = DepthRecord(
      values: .depth(DepthMap(meters: depth)), storedType: "fdep", accuracy: .relative)
    record.hasUnit = false
    record.sigmaMeters = depth.map { $0 * $0 * Float(noise / unit) }
    return record
  }

  static func judged(
    _ record: DepthRecord, tapes: [Double] = [0, 0]
  ) throws -> (corrected: CorrectedDepth, uncertainty: DepthUncertainty) {
    let distances = zip(known, tapes).map { known, tape in
      KnownDistance(x: known.x, y: 28, meters: known.meters + tape)
    }
    let corrected = try CorrectedDepth(record, knownDistances: distances)
    return (
      corrected,
      DepthUncertainty(
        record, corrected, camera: .stereo, lengthPercent: 0.5,
        statistics: corrected.depth.statistics)
    )
  }

  /// A unit of a centimeter must not make a ± of meters out of one of millimeters.
  @Test func theMapsOwnPartIsInMetersAfterTheFit() throws {
    var random = SeededGenerator(seed: 3)
    let (_, uncertainty) = try Self.judged(Self.record(&random))
    let sensor = try #require(uncertainty.sensor)
    for meters in [1.3, 2.0, 2.7] {
      // The fit's own scale is off by what its places are off by, some percent.
      #expect(
        abs(sensor.sigmaMeters(atDepth: meters) / (meters * meters * Self.noise) - 1) < 0.06)
    }
    #expect(uncertainty.basis.hasPrefix("the ± that the map carries for each pixel"))
    // 16 mm of the match and as much of the fit, and lengths are no better.
    let total = uncertainty.total.sigmaMeters(atDepth: 2)
    #expect(total > 0.018 && total < 0.03, "\(total)")
    #expect(abs(try #require(uncertainty.lengthPercent) - 100 * total / 2) < 0.15)
  }

  @Test("It holds two thirds and 95 % of many trials")
  func coverage() throws {
    var random = SeededGenerator(seed: 5)
    let pixels = [(20, 10), (33, 44), (44, 20)]
    var within = [0, 0]
    let trials = 300
    for _ in 0..<trials {
      let record = Self.record(&random)
      let tapes = (0..<2).map { _ in
        random.gaussian(mean: 0, sigma: DistanceFit.tapeSigmaMeters)
      }
      let (corrected, uncertainty) = try Self.judged(record, tapes: tapes)
      for (x, y) in pixels {
        let meters = Double(corrected.depth.meters[x, y])
        let sigma = uncertainty.total.sigmaMeters(atDepth: meters)
        for times in 1...2 where abs(meters - Self.depth(x)) < Double(times) * sigma {
          within[times - 1] += 1
        }
      }
    }
    let percent = within.map { 100 * Double($0) / Double(trials * pixels.count) }
    // The curve is nowhere below the fit's own σ, so that it is a little above in most positions.
    #expect(percent[0] > 64 && percent[0] < 78, "\(percent)")
    #expect(percent[1] > 93 && percent[1] < 99, "\(percent)")
  }

  /// One pixel in two hundred that is wrong lies anywhere; the ± of the others is not its matter.
  @Test func wrongMatchesDoNotRaiseTheRest() throws {
    var (first, second) = (SeededGenerator(seed: 3), SeededGenerator(seed: 3))
    let clean = try Self.judged(Self.record(&first)).uncertainty
    let wrong = try Self.judged(Self.record(&second, wrongMatches: 15)).uncertainty
    let ratio =
      wrong.calibration.sigmaMeters(atDepth: 2) / clean.calibration.sigmaMeters(atDepth: 2)
    #expect(abs(ratio - 1) < 0.05, "\(ratio)")
  }
}
