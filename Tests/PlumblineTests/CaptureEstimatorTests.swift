import Plumbline
import PlumblineTestSupport
import Synchronization
import Testing

/// A network that sees near what is bright.
private struct BrightIsNear: NeuralNetwork {
  let inputs = [TensorDescription(name: "image", shape: [1, 24, 32, 3])]
  let outputs = [TensorDescription(name: "depth", shape: [1, 1, 24, 32])]
  var runs: (@Sendable () -> Void)?

  func run(_ tensors: [Tensor]) throws(InferenceError) -> [Tensor] {
    runs?()
    let values = (0..<768).map { 1 / (0.2 + tensors[0].values[3 * $0]) }
    return [Tensor(shape: [1, 1, 24, 32], values: values)]
  }

  static let card = ModelCard(
    name: "bright-is-near", title: "a fake", license: "MIT", origin: "a test",
    inputSize: RasterSize(width: 32, height: 24), layout: .nhwc, outputMeaning: .meters)
}

/// An image whose brightness is a third of the inverse of its depth, with a sensor's depth of it.
private func capture(holes: Bool = true) -> Capture {
  let size = RasterSize(width: 64, height: 48)
  var capture = Capture(source: CaptureSource(camera: .lidar))
  func code(_ x: Int, _ y: Int) -> UInt8 { UInt8(60 + 2 * x + (y > 30 && x > 40 ? 40 : y)) }
  capture.color = Raster(size: size) { x, y in
    RGB8(red: code(x, y), green: code(x, y), blue: code(x, y))
  }
  capture.colorSize = size
  let depth = Raster(size: size) { x, y -> Float in
    if holes, x > 10, x < 16, y > 8, y < 20 { return .nan }
    return 1.5 / (0.2 + Float(code(x, y)) / 255)
  }
  var record = DepthRecord(
    values: .depth(DepthMap(meters: depth)), storedType: "fdep", accuracy: .absolute)
  record.calibration = CameraCalibration(
    intrinsics: PinholeIntrinsics(
      focalLength: [50, 50], principalPoint: [31.5, 23.5], size: size))
  capture.depth = record
  return capture
}

@Suite("A capture whose depth is estimated")
struct CaptureEstimatorTests {
  private func estimate(
    _ capture: Capture, _ change: (inout EstimateRequest) -> Void = { _ in }
  ) throws -> EstimateResult {
    var request = EstimateRequest()
    change(&request)
    let model = try DepthEstimator(BrightIsNear(), card: BrightIsNear.card, checksum: "00")
    return try CaptureEstimator(model, request: request).estimate(
      CaptureAnalyzer().analyze(capture, fileName: "a"))
  }

  /// The capture as another program reads it from the file.
  private func read(_ result: EstimateResult) throws -> Capture {
    let bytes = try result.recording(origin: "a test")
    let recording = try #require(try Recording(source: MemoryBytes(bytes)))
    return try recording.capture(at: 0)
  }

  @Test("The verdict is relative unfitted and corrected fitted, before and after the file")
  func verdicts() throws {
    let plain = try estimate(capture()) { $0.sensorUse = .none }
    let fitted = try estimate(capture())
    #expect(plain.after.assessment.verdict == .relative)
    #expect(fitted.estimated.fit?.refusal == nil)
    #expect(abs((fitted.estimated.fit?.scale ?? 0) - 1.5) < 0.01)
    #expect(fitted.after.assessment.verdict == .corrected)
    #expect(fitted.after.assessment.reason.contains("fitted to sensor depth"))
    for (result, verdict) in [(plain, Verdict.relative), (fitted, .corrected)] {
      let copy = try CaptureAnalyzer().analyze(read(result), fileName: "copy")
      #expect(copy.assessment.verdict == verdict)
      #expect(copy.capture.estimate == result.after.capture.estimate)
    }
    // Whatever the file says of its accuracy.
    var forged = try read(plain)
    forged.depth?.accuracy = .absolute
    let judged = try CaptureAnalyzer().analyze(forged, fileName: "forged")
    #expect(judged.assessment.verdict == .relative)
    #expect(judged.assessment.findings.contains { $0.code == .estimateUnfitted })
  }

  @Test("The ± of the judgement is that of the residuals")
  func uncertainty() throws {
    let fitted = try estimate(capture())
    let median = try #require(fitted.after.assessment.statistics?.medianMeters)
    let sigma = try #require(fitted.after.assessment.uncertainty).total.sigmaMeters(atDepth: median)
    let fit = try #require(fitted.estimated.fit)
    #expect(sigma > 0 && abs(sigma / fit.sigmaMeters(atDepth: median) - 1) < 0.6)
  }

  @Test("One distance determines one number: no residual, in the document null")
  func noResidual() throws {
    func fit(_ pixels: [SIMD2<Int>]) throws -> JSONValue {
      let result = try estimate(capture(holes: false)) { request in
        request.distances = pixels.map { pixel in
          let code = Float(60 + 2 * pixel.x + pixel.y)
          return KnownDistance(x: pixel.x, y: pixel.y, meters: Double(1.5 / (0.2 + code / 255)))
        }
      }
      return try #require(result.document()["fit"])
    }
    let one = try fit([[5, 5]])
    #expect(one["residual"] == .null && one["believed"] == .bool(false))
    #expect(one["refusal"]?.string?.contains("leaves nothing to check it with") == true)
    let three = try fit([[5, 5], [30, 10], [50, 20]])
    #expect(try #require(three["residual"]?["sigmaPercent"]?.number) < 1)
  }

  @Test("Holes are filled and everything else stays, in the file too")
  func filling() throws {
    let filled = try estimate(capture()) { $0.fillsHoles = true }
    let result = try read(filled)
    let before = try #require(capture().depth)
    guard case .depth(let old) = before.values, case .depth(let new) = result.depth?.values else {
      Issue.record("no depths")
      return
    }
    let marks = try #require(result.depth?.inventedPixels)
    let levels = try #require(result.depth?.confidence?.levels)
    for (index, value) in old.meters.samples.enumerated() {
      #expect(value.isNaN == (marks.samples[index] == 1))
      #expect((levels.samples[index] == 0) == value.isNaN)
      if !value.isNaN { #expect(new.meters.samples[index] == value) }
    }
    #expect(filled.filling?.inventedCount == 5 * 11)
    #expect(result.estimate == nil, "most of it is measured")
    #expect(filled.after.assessment.findings.contains { $0.code == .depthInvented })
  }

  @Test("Where no holes are filled though that was asked, it says why")
  func notFilled() throws {
    #expect(try estimate(capture()) { $0.fillsHoles = true }.fillingRefusal == nil)
    #expect(try estimate(capture()).fillingRefusal == nil)
    let unfitted = try estimate(capture()) {
      $0.fillsHoles = true
      $0.sensorUse = .none
    }
    #expect(unfitted.filling == nil && unfitted.fillingRefusal?.contains("not fitted") == true)
    #expect(unfitted.document()["notFilled"]?.string == unfitted.fillingRefusal)
    let refused = try estimate(capture()) {
      $0.fillsHoles = true
      $0.distances = [KnownDistance(x: 5, y: 5, meters: 2)]
    }
    #expect(refused.filling == nil && refused.fillingRefusal?.contains("not believed") == true)
  }

  @Test("The residual is the fitted estimate minus the sensor where both are, in the file too")
  func residual() throws {
    for fills in [false, true] {
      let fitted = try estimate(capture()) { $0.fillsHoles = fills }
      let residual = try #require(fitted.residual)
      let before = try #require(capture().depth)
      guard case .depth(let sensor) = before.values, let own = fitted.estimated.depth else {
        Issue.record("no depths")
        return
      }
      #expect(residual.size == sensor.size && residual.count == 64 * 48 - 5 * 11)
      for (index, measured) in sensor.meters.samples.enumerated() {
        let left = residual.meters.samples[index]
        #expect(left.isNaN == measured.isNaN)
        #expect(residual.sigmaMeters.samples[index].isNaN == measured.isNaN)
        if measured.isNaN { continue }
        // Both are rounded to single precision once.
        #expect(abs(left - (own.meters.samples[index] - measured)) < 2e-6 * measured)
        #expect(residual.sigmaMeters.samples[index] > 0)
      }
      #expect(try read(fitted).depth?.residual == residual)
      #expect(fitted.after.capture.depth?.residual == residual)
      let names = try fitted.files.map(\.name)
      #expect(names.contains("residual.npy") && names.contains("residual-colors.png"))
    }
    #expect(try estimate(capture()) { $0.sensorUse = .none }.residual == nil)
    // A fit that is not believed is not what the map shows.
    let one = try estimate(capture()) { $0.distances = [KnownDistance(x: 5, y: 5, meters: 2)] }
    #expect(one.residual != nil && one.after.capture.depth?.residual == nil)
  }

  @Test("What was measured in a few places leaves a residual in as many pixels")
  func residualOfDistances() throws {
    let places = [(5, 5), (60, 40), (30, 20)]
    let fitted = try estimate(capture(holes: false)) { request in
      request.distances = places.map { KnownDistance(x: $0.0, y: $0.1, meters: 1.5) }
    }
    let residual = try #require(fitted.residual)
    #expect(residual.count == 3 && residual.size == RasterSize(width: 64, height: 48))
    for (x, y) in places { #expect(residual.meters[x, y].isFinite) }
  }

  @Test("Steps that move or change depths leave the residual behind")
  func residualGoes() throws {
    let fitted = try estimate(capture())
    let turned = try Mirroring(.rows).application(to: fitted.after.capture).capture
    #expect(fitted.after.capture.depth?.residual != nil && turned.depth?.residual == nil)
  }

  @Test("What a fit needs and is not there is said")
  func missing() throws {
    var bare = capture()
    bare.depth = nil
    #expect(throws: EstimationError.self) { try estimate(bare) { $0.sensorUse = .sensor } }
    #expect(try estimate(bare).after.assessment.verdict == .relative)
    #expect(throws: EstimationError.self) { try estimate(bare) { $0.fillsHoles = true } }
    #expect(throws: EstimationError.self) {
      try estimate(capture()) { $0.distances = [KnownDistance(x: 64, y: 0, meters: 2)] }
    }
    var blind = capture()
    blind.color = nil
    #expect(throws: EstimationError.self) { try estimate(blind) }
    let one = try estimate(capture()) { $0.distances = [KnownDistance(x: 5, y: 5, meters: 2)] }
    #expect(one.after.assessment.verdict == .relative)
    #expect(one.after.assessment.findings.contains { $0.code == .estimateFitRefused })
  }

  @Test("Of a live camera the newest frame is estimated; every other one is counted")
  func live() async throws {
    var settings = LiveCameraSettings()
    settings.size = RasterSize(width: 64, height: 48)
    let shown = Mutex<[Int]>([])
    // While the network is busy, frames go on coming.
    let network = BrightIsNear { _ = (0..<200_000).reduce(0, &+) }
    let live = LiveEstimation(
      SimulatedDepthCamera(settings, pace: .live(speed: 4)),
      by: CaptureEstimator(try DepthEstimator(network, card: BrightIsNear.card)),
      frameLimit: 4)
    let counts = try await live.run { _, number in shown.withLock { $0.append(number) } }
    #expect(counts.estimated == 4)
    #expect(counts.received >= 4 && counts.dropped >= counts.received - counts.estimated)
    let numbers = shown.withLock { $0 }
    #expect(numbers.count == 4 && numbers == numbers.sorted() && Set(numbers).count == 4)
  }
}
