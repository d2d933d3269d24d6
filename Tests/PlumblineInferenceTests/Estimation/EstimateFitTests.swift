@testable import PlumblineInference
import PlumblineModel
import PlumblineTestSupport
import Testing

/// A scene with exact truth and what a model might make of it.
struct FitScene {
  static let size = RasterSize(width: 64, height: 48)
  let truth: DepthMap
  let estimate: DepthEstimate

  /// Planes of a room and a near box; the output is exact but for `distortion` of 1/z.
  init(
    _ meaning: ModelCard.OutputMeaning, noise: Double = 0, seed: UInt64 = 1,
    _ output: @escaping @Sendable (Double) -> Double
  ) throws {
    var random = SeededGenerator(seed: seed &+ 77)
    let inverse = Raster(size: Self.size) { x, y -> Float in
      if x > 20 && x < 35 && y > 19 { return 1.1 }
      return 0.2 + 0.006 * Float(x) + 0.003 * Float(y)
    }
    truth = DepthMap(meters: inverse.map { 1 / $0 })
    let values = inverse.map { value -> Float in
      let share = 1 + noise * Double.random(in: -1...1, using: &random)
      return Float(output(Double(value) * share))
    }
    let card = card(64, 48, meaning)
    let network = FakeNetwork(card) { _ in
      Tensor(shape: [1, 1, 48, 64], values: values.samples)
    }
    estimate = try DepthEstimator(network, card: card).estimate(
      of: Raster(size: Self.size, repeating: RGB8(red: 1, green: 2, blue: 3)))
  }

  /// Sensor depth of which a share is anything between 0.3 and 8 m, and a share is missing.
  func sensor(outliers: Double, seed: UInt64, scale: Float = 1) -> DepthMap {
    var random = SeededGenerator(seed: seed)
    return DepthMap(
      meters: truth.meters.map { meters -> Float in
        if Double.random(in: 0...1, using: &random) < 0.2 { return .nan }
        if Double.random(in: 0...1, using: &random) < outliers {
          return .random(in: 0.3...8, using: &random)
        }
        let noise = Float.random(in: -0.005...0.005, using: &random)
        return meters * scale * (1 + noise)
      })
  }

  func samples(_ sensor: DepthMap) -> [FitSample] {
    FitSample.samples(
      of: sensor, sigma: SigmaCurve(perMeter: 0.003), imageSize: Self.size)
  }
}

@Suite("An estimate fitted to what was measured")
struct EstimateFitTests {
  @Test("The scale is found within 0.5 % with 30 % of outliers", arguments: 1...12)
  func scale(seed: Int) throws {
    let scene = try FitScene(.meters, noise: 0.05, seed: UInt64(seed)) { 1 / $0 / 1.37 }
    let sensor = scene.sensor(outliers: 0.3, seed: UInt64(seed))
    let fit = try EstimateFit.fitted(
      scene.estimate, to: scene.samples(sensor), target: .sensorDepth, shape: .scale)
    #expect(abs(fit.scale / 1.37 - 1) < 0.005, "the issue's bound")
    #expect(fit.refusal == nil)
    #expect(fit.scaleSigma > 0 && fit.scaleSigma < 0.005 * 1.37)
    #expect(fit.outlierShare > 0.15 && fit.outlierShare < 0.35)
  }

  @Test("Scale and shift are found in disparity with 30 % of outliers", arguments: 1...8)
  func relativeInverse(seed: Int) throws {
    let scene = try FitScene(.relativeInverse, noise: 0.02, seed: UInt64(seed)) { 40 * $0 + 13 }
    let sensor = scene.sensor(outliers: 0.3, seed: UInt64(seed))
    let fit = try EstimateFit.fitted(
      scene.estimate, to: scene.samples(sensor), target: .sensorDepth)
    #expect(fit.space == .disparity && fit.shape == .scaleAndShift)
    #expect(abs(fit.scale * 40 - 1) < 0.01)
    let (depth, sigma) = scene.estimate.fitted(by: fit)
    let shares = zip(depth.meters.samples, scene.truth.meters.samples).map { abs($0 / $1 - 1) }
    #expect(shares.sorted()[shares.count / 2] < 0.02)
    let errors = zip(depth.meters.samples, scene.truth.meters.samples).map { abs($0 - $1) }
    // 68 % of the errors lie within their ±, which the outliers of the sensor only widen.
    let within = zip(errors, sigma.samples).count { $0 <= $1 }
    #expect(within * 100 >= 68 * depth.meters.samples.count)
  }

  @Test("Scale and shift of relative depth are found in depth")
  func relativeDepth() throws {
    let scene = try FitScene(.relativeDepth, noise: 0.01) { (1 / $0 - 0.4) / 3 }
    let fit = try EstimateFit.fitted(
      scene.estimate, to: scene.samples(scene.sensor(outliers: 0.1, seed: 3)),
      target: .sensorDepth)
    #expect(fit.space == .depth)
    #expect(abs(fit.scale / 3 - 1) < 0.01 && abs(fit.shift - 0.4) < 0.03)
  }

  @Test("Meters with an offset get a shift; without one they keep a scale alone")
  func shapeIsChosen() throws {
    let shifted = try FitScene(.meters) { 0.8 / $0 + 0.5 }
    let sensor = shifted.sensor(outliers: 0.1, seed: 5)
    let fit = try EstimateFit.fitted(
      shifted.estimate, to: shifted.samples(sensor), target: .sensorDepth)
    #expect(fit.shape == .scaleAndShift && fit.space == .depth)
    #expect(abs(fit.scale - 1.25) < 0.01 && abs(fit.shift + 0.625) < 0.02)
    let plain = try FitScene(.meters, noise: 0.1) { 0.8 / $0 }
    let kept = try EstimateFit.fitted(
      plain.estimate, to: plain.samples(plain.sensor(outliers: 0.1, seed: 5)),
      target: .sensorDepth)
    #expect(kept.shape == .scale)
  }

  @Test("The ± is never below the residual and grows with the distance")
  func sigma() throws {
    let scene = try FitScene(.meters, noise: 0.2) { 1 / $0 }
    let fit = try EstimateFit.fitted(
      scene.estimate, to: scene.samples(scene.sensor(outliers: 0.05, seed: 2)),
      target: .sensorDepth)
    for band in fit.bands where band.residuals.count >= 20 {
      #expect(
        fit.sigmaMeters(atDepth: band.medianMeters) * 1000
          >= band.residuals.sigmaMillimeters * 0.999)
    }
    var before = 0.0
    for step in 1...200 {
      let sigma = fit.sigmaMeters(atDepth: Double(step) * 0.1)
      #expect(sigma >= before)
      before = sigma
    }
    #expect(fit.sigmaMeters(atDepth: .nan).isNaN)
  }

  @Test("A fit that determines nothing, or is not to be believed, says why")
  func refusals() throws {
    let scene = try FitScene(.meters) { 1 / $0 }
    func sample(_ x: Double, _ y: Double, _ meters: Double) -> FitSample {
      FitSample(pixel: [x, y], meters: meters, sigmaMeters: 0.005)
    }
    let one = try EstimateFit.fitted(
      scene.estimate, to: [sample(10, 10, 4)], target: .distances(1))
    #expect(one.refusal?.contains("leaves nothing to check it with") == true)
    #expect(throws: EstimationError.self) {
      try EstimateFit.fitted(scene.estimate, to: [], target: .distances(0))
    }
    #expect(throws: EstimationError.self) {
      try EstimateFit.fitted(
        scene.estimate, to: [sample(-40, 10, 4)], target: .distances(1))
    }
    // The measured depths run the other way.
    let relative = try FitScene(.relativeInverse) { 2 - $0 }
    let reversed = try? EstimateFit.fitted(
      relative.estimate, to: relative.samples(relative.sensor(outliers: 0, seed: 1)),
      target: .sensorDepth)
    #expect(reversed == nil || reversed?.refusal?.contains("exchanged") == true)
    // All at one distance: a shift is not separable from a scale.
    let flat = (0..<40).map { sample(Double($0), 3 + Double($0 % 7), 3) }
    let shift = try EstimateFit.fitted(
      scene.estimate, to: flat, target: .distances(40), shape: .scaleAndShift)
    #expect(shift.refusal != nil)
    // Depths that have nothing to do with the image.
    let noise = scene.sensor(outliers: 1, seed: 9)
    let wild = try EstimateFit.fitted(
      scene.estimate, to: scene.samples(noise), target: .sensorDepth)
    #expect(wild.refusal != nil)
    let refused = EstimatedDepth(relative.estimate, fit: reversed)
    #expect(!refused.isFitted && refused.depth == nil && refused.relativeValues != nil)
  }

  @Test("Three distances, one of them wrong, are not believed; exact ones are")
  func distances() throws {
    let scene = try FitScene(.meters) { 0.5 / $0 }
    func sample(_ x: Int, _ y: Int, _ factor: Double = 1) -> FitSample {
      FitSample(
        pixel: [Double(x), Double(y)], meters: Double(scene.truth.meters[x, y]) * factor,
        sigmaMeters: 0.005)
    }
    let good = try EstimateFit.fitted(
      scene.estimate, to: [sample(5, 5), sample(27, 33), sample(60, 40)], target: .distances(3))
    #expect(good.refusal == nil && abs(good.scale - 2) < 0.01)
    let bad = try EstimateFit.fitted(
      scene.estimate, to: [sample(5, 5), sample(27, 33, 2.5), sample(60, 40, 0.4)],
      target: .distances(3))
    #expect(bad.refusal != nil)
  }

  @Test("Holes are filled, marked, less sure and without a step of a wrong scale")
  func filling() throws {
    let scene = try FitScene(.meters, noise: 0.02) { 0.7 / $0 }
    let sensor = scene.sensor(outliers: 0, seed: 4)
    let sigma = SigmaCurve(perMeter: 0.003)
    let fit = try EstimateFit.fitted(
      scene.estimate, to: scene.samples(sensor), target: .sensorDepth)
    let filled = EstimateFilling(sensor, sigma: sigma, by: scene.estimate, fit: fit)
    var invented = 0
    for (index, measured) in sensor.meters.samples.enumerated() {
      let value = filled.depth.meters.samples[index]
      if measured.isNaN {
        invented += 1
        #expect(filled.inventedPixels.samples[index] == 1)
        #expect(abs(value / scene.truth.meters.samples[index] - 1) < 0.03)
        #expect(
          Double(filled.sigmaMeters.samples[index]) >= sigma.sigmaMeters(atDepth: Double(value)))
      } else {
        #expect(value == measured && filled.inventedPixels.samples[index] == 0)
      }
    }
    #expect(invented == filled.inventedCount && invented > 400)
  }

  @Test("A capture of an estimate says what it is, fitted or not")
  func captures() throws {
    let scene = try FitScene(.meters, noise: 0.02) { 0.7 / $0 }
    let base = Capture(source: CaptureSource())
    let card = card(64, 48)
    let plain = EstimatedDepth(scene.estimate).capture(from: base, card: card, checksum: "ab")
    #expect(plain.estimate == EstimateOrigin(model: "fake"))
    #expect(plain.depth?.accuracy == .relative)
    let fit = try EstimateFit.fitted(
      scene.estimate, to: scene.samples(scene.sensor(outliers: 0, seed: 4)), target: .sensorDepth)
    let fitted = EstimatedDepth(scene.estimate, fit: fit)
      .capture(from: base, card: card, checksum: nil)
    #expect(fitted.estimate == EstimateOrigin(model: "fake", fittedTo: "sensor depth"))
    #expect(fitted.depth?.accuracy == .absolute && fitted.depth?.sigmaMeters != nil)
  }

  @Test("A focal length that nobody measured comes with its ±, to the map")
  func focalSigma() throws {
    let size = FitScene.size
    let film = try #require(FilmFocalLength(wholeMillimeters: 26))
    #expect(PhotoCamera(exif: film, size: size).focalSigmaShare == 0.5 / 26)
    #expect(PhotoCamera(nil).focalSigmaShare == nil)
    let assumed = PhotoCamera(focalLengthPixels: 60, size: size, .assumed)
    #expect(assumed.uncertainty?.focalLengthPixels == [15, 15])
    let card = card(64, 48)
    let network = FakeNetwork(card) { _ in
      Tensor(shape: [1, 1, 48, 64], values: (0..<3072).map { 1 + Float($0) / 3072 })
    }
    let estimate = try DepthEstimator(network, card: card).estimate(
      of: Raster(size: size, repeating: RGB8(red: 1, green: 2, blue: 3)),
      camera: PhotoCamera(exif: try #require(FilmFocalLength(wholeMillimeters: 26)), size: size))
    let capture = EstimatedDepth(estimate).capture(
      from: Capture(source: CaptureSource()), card: card, checksum: nil)
    let focal = try #require(capture.depth?.calibration?.intrinsics.focalLength)
    #expect(capture.depth?.calibrationUncertainty?.focalLengthPixels == focal * (0.5 / 26))
  }
}
