import PlumblineCorrection
import PlumblineModel
import PlumblineTestSupport
@testable import PlumblineVerification
import Testing

@Suite struct DepthUncertaintyTests {
  static let trials = 40_000
  static let size = RasterSize(width: 8, height: 6)

  /// A map of one disparity with 8-bit codes from 0.5 to 3 1/m.
  static func quantizedRecord() -> DepthRecord {
    var record = DepthRecord(
      values: .disparity(DisparityMap(inverseMeters: Raster(size: size, repeating: 2))),
      storedType: "L008", accuracy: .absolute)
    record.quantization = LinearQuantization(
      minimumCode: 0, maximumCode: 255, minimumValue: 0.5, maximumValue: 3)
    return record
  }

  static func uncertainty(
    _ record: DepthRecord, _ camera: CaptureSource.Camera, lengthPercent: Double? = nil
  ) throws -> DepthUncertainty {
    DepthUncertainty(
      record, try CorrectedDepth(record), camera: camera, lengthPercent: lengthPercent,
      statistics: SimulatedCapture.scene.depthMap(from: SimulatedCapture.camera).statistics)
  }

  /// The root of the mean square of the errors that a trial gives.
  static func rootMeanSquare(seed: UInt64, _ trial: (inout SeededGenerator) -> Double) -> Double {
    var random = SeededGenerator(seed: seed)
    var sum = 0.0
    for _ in 0..<trials {
      let error = trial(&random)
      sum += error * error
    }
    return (sum / Double(trials)).squareRoot()
  }

  @Test(arguments: [0.4, 0.5, 1.0, 1.6]) func stepsOfDisparity(meters: Double) throws {
    let record = Self.quantizedRecord()
    let rule = try #require(record.quantization)
    let sigma = Self.rootMeanSquare(seed: 1) { random in
      let exact = 1 / meters + rule.step * random.uniform(in: -2..<2)
      return 1 / rule.value(rule.code(exact)) - 1 / exact
    }
    let parts = try Self.uncertainty(record, .unknown)
    // 0.4 % from the number of trials, and Z² varies by up to 3 % over the four steps.
    #expect(abs(parts.quantization.sigmaMeters(atDepth: meters) / sigma - 1) < 0.015)
    #expect(parts.sensor == nil)
    #expect(parts.total == parts.quantization)
  }

  @Test func stepsOfDepthAreTheSameEverywhere() throws {
    var record = Self.quantizedRecord()
    record.values = .depth(DepthMap(meters: Raster(size: Self.size, repeating: 1)))
    let rule = try #require(record.quantization)
    let sigma = Self.rootMeanSquare(seed: 2) { random in
      let exact = random.uniform(in: 0.6..<2.9)
      return rule.value(rule.code(exact)) - exact
    }
    let curve = try Self.uncertainty(record, .unknown).quantization
    for meters in [0.6, 1, 2.9] {
      #expect(abs(curve.sigmaMeters(atDepth: meters) / sigma - 1) < 0.01)
    }
  }

  /// The step of a half is largest, in relation to the value, just above a power of two.
  @Test func halvesStayBelowTheirBound() throws {
    let record = SimulatedCapture().record
    #expect(record.storedType == "hdis")
    let curve = try Self.uncertainty(record, .unknown).quantization
    for (low, tightness) in [(1.0, 0.95), (1.5, 0.6), (1.9, 0.5), (2.0, 0.95)] {
      let sigma = Self.rootMeanSquare(seed: 3) { random in
        let exact = random.uniform(in: low..<low * 1.02)
        let unit = exact < 2 ? 0x1p-10 : 0x1p-9
        return 1 / ((exact / unit).rounded() * unit) - 1 / exact
      }
      let bound = curve.sigmaMeters(atDepth: 1 / (low * 1.01))
      // 2 % from the width of the interval.
      #expect(sigma < 1.02 * bound && sigma > tightness * bound)
    }
  }

  @Test func floatsHaveNoSteps() throws {
    var record = SimulatedCapture().record
    record.storedType = "fdis"
    #expect(try Self.uncertainty(record, .unknown).total == SigmaCurve())
  }

  /// 0.35 mm and 5.6 mm at 1 m in squares: what boards show, see `Documentation/sensors.md`.
  @Test(arguments: [0.15, 0.196, 0.3, 1.1]) func noiseOfTrueDepth(meters: Double) throws {
    let parts = try Self.uncertainty(Self.quantizedRecord(), .trueDepth)
    let curve = try #require(parts.sensor)
    let sigma = Self.rootMeanSquare(seed: 4) { random in
      random.gaussian(mean: 0, sigma: 0.00035)
        + 1 / (1 / meters + random.gaussian(mean: 0, sigma: 0.0056)) - meters
    }
    // 0.4 % from the trials; at 1.1 m 0.6 % of noise makes the reciprocal slightly longer-tailed.
    #expect(abs(curve.sigmaMeters(atDepth: meters) / sigma - 1) < 0.02)
  }

  @Test func aMeanOfNeighborsIsNotThatOfIndependentPixels() throws {
    let parts = try Self.uncertainty(Self.quantizedRecord(), .trueDepth)
    let one = try #require(parts.noiseOfMean(over: 1, atDepth: 0.3, mapWidth: 640))
    #expect(one == parts.sensor?.sigmaMeters(atDepth: 0.3))
    let many = try #require(parts.noiseOfMean(over: 32, atDepth: 0.3, mapWidth: 640))
    // (1 + 1/40) / (1 + 32/40), where independent pixels would give 1/32.
    #expect(abs(many / one - 41.0 / 72) < 1e-12)
    #expect(
      try Self.uncertainty(Self.quantizedRecord(), .unknown)
        .noiseOfMean(over: 5, atDepth: 1, mapWidth: 640) == nil)
  }

  /// What was measured is apart from what is published and assumed, in numbers and in words.
  @Test func lidarSaysWhatWasMeasured() throws {
    let parts = try Self.uncertainty(Self.quantizedRecord(), .lidar)
    #expect(parts.sensor == SigmaCurve(constantMeters: 0.0015, perMeterSquared: 0.001))
    #expect(parts.calibration == SigmaCurve(constantMeters: 0.01, perMeter: 0.01))
    for word in ["noise measured", "published for iPhone 12 Pro", "1 % scale, assumed"] {
      #expect(parts.basis.contains(word), "\(word)")
    }
  }

  /// Overlapping frames differ by five times as much at confidence 1, and by anything at 0.
  @Test func confidenceHasItsOwnNoise() throws {
    let parts = try Self.uncertainty(Self.quantizedRecord(), .lidar)
    let full = try #require(parts.noise(atDepth: 2, confidence: 2, of: 2))
    #expect(full == parts.sensor?.sigmaMeters(atDepth: 2))
    #expect(parts.noise(atDepth: 2, confidence: 1, of: 2) == 5 * full)
    #expect(parts.noise(atDepth: 2, confidence: 0, of: 2) == nil)
    let other = try Self.uncertainty(Self.quantizedRecord(), .trueDepth)
    #expect(other.noise(atDepth: 2, confidence: 0, of: 2) == other.sensor?.sigmaMeters(atDepth: 2))
  }

  /// A length across the image is not better known than the depth that it is computed with.
  @Test func lengthsCarryTheRelativeErrorOfDepth() throws {
    var record = DepthRecord(
      values: .depth(DepthMap(meters: Raster(size: Self.size, repeating: 2))),
      storedType: "fdep", accuracy: .absolute)
    record.sigmaMeters = Raster(size: Self.size, repeating: 0.3)
    let corrected = try CorrectedDepth(record)
    func percent(_ camera: CaptureSource.Camera) -> Double? {
      DepthUncertainty(
        record, corrected, camera: camera, lengthPercent: 0.5,
        statistics: corrected.depth.statistics
      ).lengthPercent
    }
    // 0.3 of 2 m, which an estimate carries.
    let estimated = try #require(percent(.unknown)) - Double(225.25).squareRoot()
    #expect(abs(estimated) < 1e-4)
    // 1 cm and 1 % of 2 m.
    let scanned = try #require(percent(.lidar)) - Double(1.5).squareRoot()
    #expect(abs(scanned) < 1e-6)
    // The half percent was measured through TrueDepth, with its scale.
    #expect(percent(.trueDepth) == 0.5)
  }

  @Test(arguments: [0.35, 0.5, 1.0]) func partsTogetherAreThatOfManyTrials(meters: Double) throws {
    let record = Self.quantizedRecord()
    let rule = try #require(record.quantization)
    let parts = try Self.uncertainty(record, .trueDepth)
    let sigma = Self.rootMeanSquare(seed: 5) { random in
      let scale = random.gaussian(mean: 1, sigma: 0.0025)
      let noisy = 1 / (scale * meters) + random.gaussian(mean: 0, sigma: 0.0056)
      let constant = random.gaussian(mean: 0, sigma: 0.00035)
      return 1 / rule.value(rule.code(noisy)) + constant - meters
    }
    #expect(abs(parts.total.sigmaMeters(atDepth: meters) / sigma - 1) < 0.02)
  }

  @Test(arguments: CaptureSource.Camera.allCases)
  func theTotalIsTheRootOfTheSquares(camera: CaptureSource.Camera) throws {
    let parts = try Self.uncertainty(Self.quantizedRecord(), camera, lengthPercent: 1.4)
    for meters in [0.2, 1, 5] {
      let all = [parts.quantization, parts.calibration] + (parts.sensor.map { [$0] } ?? [])
      let squares = all.map { $0.sigmaMeters(atDepth: meters) }.reduce(0) { $0 + $1 * $1 }
      #expect(abs(parts.total.sigmaMeters(atDepth: meters) - squares.squareRoot()) < 1e-15)
    }
    if camera != .lidar { #expect(parts.lengthPercent == 1.4) }
    #expect(parts.basis.hasSuffix("; steps of the stored codes"))
  }

  /// A fit replaces the sensor's scale error by its own σ, and promises too much nowhere.
  @Test(arguments: [
    [SimulatedCapture.knownNear, SimulatedCapture.knownFar], [SimulatedCapture.knownNear],
    [SimulatedCapture.knownFar],
  ])
  func aFitBringsItsOwnSigma(distances: [KnownDistance]) throws {
    let scaled = SimulatedCapture([.relative(scale: 0.8, offset: 0.1)]).with {
      $0.knownDistances = distances
    }
    let corrected = try scaled.corrected()
    let statistics = corrected.depth.statistics
    let fit = try #require(corrected.distanceFit)
    let parts = DepthUncertainty(
      scaled.record, corrected, camera: .dual, lengthPercent: nil, statistics: statistics)
    let range = try #require(corrected.depth.usualRange)
    var tightest = Double.infinity
    for step in 0...1000 {
      let meters = range.lowerBound + (range.upperBound - range.lowerBound) * Double(step) / 1000
      let noise = DistanceFit.MapNoise(
        curve: try #require(parts.sensor), correlation: parts.correlation,
        mapWidth: scaled.record.size.width)
      let ratio =
        parts.calibration.sigmaMeters(atDepth: meters)
        / fit.sigmaMeters(atDepth: meters, noise: noise)
      // The curve is laid over 33 depths, between which σ bends by less than 0.1 %.
      #expect(ratio > 0.999, "at \(meters) m")
      tightest = min(tightest, ratio)
    }
    #expect(tightest < 1.001)
    #expect(parts.basis.contains(distances.count == 1 ? "one distance" : "two distances"))
  }

  @Test func stepsOfStoredDisparitiesGrowWithTheScale() throws {
    var scaled = SimulatedCapture([.relative(scale: 0.8, offset: 0.1)]).with {
      $0.knownDistances = [SimulatedCapture.knownNear, SimulatedCapture.knownFar]
    }
    scaled.record.quantization = Self.quantizedRecord().quantization
    let parts = try #require(try scaled.assessment().uncertainty)
    let step = try #require(scaled.record.quantization?.step)
    // The scale is found to 1e-4: the far distance is one pixel's, the fit's a patch's.
    #expect(abs(parts.quantization.perMeterSquared / (0.8 * step / 12.0.squareRoot()) - 1) < 1e-3)
  }

  @Test func stepsAtADepthAreTheDifferenceOfNeighboringCodes() throws {
    let record = Self.quantizedRecord()
    let rule = try #require(record.quantization)
    let step = try #require(record.stepMeters(atDepth: 1 / rule.value(100), disparityScale: 1))
    let neighbors = (1 / rule.value(99) - 1 / rule.value(101)) / 2
    // Second order of a step of 0.7 % of the disparity.
    #expect(abs(step / neighbors - 1) < 1e-4)
    #expect(SimulatedCapture().record.stepMeters(atDepth: 1, disparityScale: 1) == nil)
  }
}
