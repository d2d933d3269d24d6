import Plumbline
import PlumblineTestSupport
import Testing

/// A network that sees a step: near on the left, far on the right.
private struct Step: NeuralNetwork {
  let inputs = [TensorDescription(name: "image", shape: [1, 24, 32, 3])]
  let outputs = [TensorDescription(name: "depth", shape: [1, 1, 24, 32])]

  func run(_ tensors: [Tensor]) throws(InferenceError) -> [Tensor] {
    [Tensor(shape: [1, 1, 24, 32], values: (0..<768).map { $0 % 32 < 16 ? 0.5 : 2 })]
  }

  static func card(_ meaning: ModelCard.OutputMeaning) -> ModelCard {
    ModelCard(
      name: "step", title: "a fake", license: "MIT", origin: "a test",
      inputSize: RasterSize(width: 32, height: 24), layout: .nhwc, outputMeaning: meaning)
  }
}

@Suite("Something near, by an estimate")
struct EstimatedProximityTests {
  /// An image with the sensor's depth, if any: the network's depth times a factor.
  private func estimate(
    _ meaning: ModelCard.OutputMeaning, published: PublishedError? = nil,
    sensorFactor: Float? = nil, orientation: ImageOrientation = .up
  ) throws -> EstimateResult {
    let size = RasterSize(width: 64, height: 48)
    var capture = Capture(source: CaptureSource(camera: .lidar))
    capture.color = Raster(size: size) { x, y in RGB8(red: UInt8(x), green: UInt8(y), blue: 9) }
    capture.colorSize = size
    capture.colorOrientation = orientation
    if let sensorFactor {
      let meters = Raster(size: size) { x, _ in sensorFactor * (x < 32 ? 0.5 : 2) }
      capture.depth = DepthRecord(
        values: .depth(DepthMap(meters: meters)), storedType: "fdep", accuracy: .absolute)
    }
    var card = Step.card(meaning)
    card.publishedError = published
    return try CaptureEstimator(DepthEstimator(Step(), card: card)).estimate(
      CaptureAnalyzer().analyze(capture, fileName: "a"))
  }

  private func watch() -> ProximityWatch {
    ProximityWatch(ProximityAlert(nearMeters: 0.7, confirmingFrames: 1))
  }

  @Test("A model's own meters have the ± that was published, and none where none was")
  func unfitted() throws {
    let published = PublishedError(rmseMeters: 0.3, data: "a", source: "b")
    for (published, source) in [(published, ProximityWatch.SigmaSource.published), (nil, nil)] {
      var watch = watch()
      let event = try #require(try watch.next(estimate(.meters, published: published)))
      #expect(event.state == .near)
      // Steps of a reading are 2⁻¹⁰ of the depth.
      #expect(abs((event.reading.nearestMeters ?? 0) - 0.5) < 0.001)
      #expect(event.reading.sigmaMeters == published?.rmseMeters)
      #expect(watch.sigmaSource == source)
      #expect(watch.estimate?.model == "step" && watch.estimate?.fittedTo == nil)
    }
  }

  @Test("A published mean relative error gives a ± that grows with the distance")
  func unfittedRelative() throws {
    let published = PublishedError(absoluteRelative: 0.1, data: "a", source: "b")
    #expect(published.summary == "10.0 % of the depth on average, on a")
    var watch = watch()
    let event = try #require(try watch.next(estimate(.meters, published: published)))
    // √(π/2) of the mean for normal errors, at 0.5 m in steps of 2⁻¹⁰.
    #expect(abs((event.reading.sigmaMeters ?? 0) - 0.1 * 1.2533 * 0.5) < 0.001)
    #expect(watch.sigmaSource == .published)
  }

  @Test("A fit's meters have the fit's ±, and move with the sensor")
  func fitted() throws {
    var watch = watch()
    let event = try #require(try watch.next(estimate(.meters, sensorFactor: 3)))
    #expect(event.state == .clear)
    #expect(abs((event.reading.nearestMeters ?? 0) - 1.5) < 0.02)
    #expect(watch.sigmaSource == .fit && watch.estimate?.fittedTo == "sensor depth")
  }

  @Test("Numbers without a scale are refused where nothing was measured")
  func relative() throws {
    var watch = watch()
    let error = #expect(throws: ProximityError.self) { try watch.next(estimate(.relativeDepth)) }
    #expect(error == .relativeEstimate(model: "step") && watch.frameCount == 0)
    #expect(error.map { "\($0)".contains("known distances") } == true)
    // A recording of such an estimate is refused by the same sentence.
    let capture = try estimate(.relativeDepth).after.capture
    #expect(throws: ProximityError.relativeEstimate(model: "step")) { try watch.next(capture) }
    #expect(try watch.next(estimate(.relativeDepth, sensorFactor: 1))?.state == .near)
  }

  @Test("A region is one of the image as shown, which is what the network sees")
  func region() throws {
    for orientation in ImageOrientation.allCases {
      let result = try estimate(.meters, orientation: orientation)
      for (x, meters) in [(0.0, 0.5), (0.75, 2)] {
        var watch = ProximityWatch(
          ProximityAlert(nearMeters: 0.7, confirmingFrames: 1),
          region: ProximityWatch.Region(x: x, y: 0, width: 0.25, height: 1))
        let event = try #require(try watch.next(result))
        // Meters; 2⁻¹⁰ of the depth, and a pixel of the network's step reaches into no quarter.
        let nearest = try #require(event.reading.nearestMeters)
        #expect(abs(nearest - meters) < 0.01, "\(orientation) \(x)")
      }
    }
  }

  @Test("A recording of a fitted estimate is watched as one")
  func recorded() throws {
    var watch = watch()
    var capture = try estimate(.meters, sensorFactor: 1).after.capture
    capture.timestampSeconds = 4
    let event = try #require(try watch.next(capture))
    #expect(event.state == .near && event.seconds == 4)
    #expect(watch.estimate?.fittedTo == "sensor depth" && watch.sigmaSource == .fit)
  }

  @Test("The published error is in the verdict and stays through a file")
  func verdict() throws {
    let published = PublishedError(rmseMeters: 0.3, data: "rooms; and halls", source: "b")
    let result = try estimate(.meters, published: published)
    #expect(result.after.assessment.reason.hasSuffix("errs by RMSE 0.3 m on rooms, and halls."))
    let recording = try #require(
      try Recording(source: MemoryBytes(result.recording(origin: "a test"))))
    let copy = try recording.capture(at: 0)
    #expect(copy.estimate?.publishedError == "RMSE 0.3 m on rooms, and halls")
    #expect(copy.estimate == result.after.capture.estimate)
    let fitted = try estimate(.meters, published: published, sensorFactor: 3)
    #expect(!fitted.after.assessment.reason.contains("RMSE"))
  }
}
