import Plumbline
import PlumblineCapture
import PlumblineGeometry
import PlumblineInference
import PlumblineModel
import Synchronization
import Testing

@testable import PlumblineScreens

@Suite struct EstimationFramesTests {
  private func result(
    _ meaning: ModelCard.OutputMeaning = .meters, _ capture: Capture, usesSensor: Bool = true
  ) throws -> EstimateResult {
    let network = BrightIsNear(meaning: meaning)
    var request = EstimateRequest()
    request.sensorUse = usesSensor ? .auto : .none
    let estimator = try DepthEstimator(network, card: network.card)
    return try CaptureEstimator(estimator, request: request).estimate(
      CaptureAnalyzer().analyze(capture, fileName: "a"))
  }

  /// Whatever the model's numbers mean: of two pixels the nearer one is never brighter.
  @Test(
    arguments: ModelCard.OutputMeaning.allCases.filter {
      $0.kind == .depth && $0 != .affinePoints
    }, [true, false])
  func nearIsDark(meaning: ModelCard.OutputMeaning, usesSensor: Bool) throws {
    var range = GrayRange()
    let map = range.map(
      try result(meaning, BrightCaptures.capture(seconds: 0), usesSensor: usesSensor).estimated)
    #expect(map.levels.size == BrightCaptures.size)
    var pairs = 0
    for y in stride(from: 4, to: 28, by: 4) {
      for x in stride(from: 4, to: 56, by: 4) {
        // To the right it is brighter, hence nearer.
        #expect(map.levels[x + 4, y] <= map.levels[x, y], "\(x), \(y)")
        pairs += map.levels[x + 4, y] < map.levels[x, y] ? 1 : 0
      }
    }
    #expect(pairs > 60, "\(pairs)")
    let isMetric = usesSensor || meaning == .meters || meaning == .inverseMeters
    #expect(map.legend.contains(" m") == isMetric || map.legend.contains("no meters"))
    #expect(map.legend.contains("no meters") == !isMetric, "\(map.legend)")
  }

  @Test func theImageIsUpright() throws {
    var capture = BrightCaptures.capture(seconds: 0)
    capture.colorOrientation = .right
    capture.depth?.orientation = .right
    var range = GrayRange()
    let map = range.map(try result(.meters, capture).estimated)
    #expect(map.levels.size == BrightCaptures.size.transposed)
    // What is right in the stored image is below in the upright one.
    #expect(map.levels[20, 58] < map.levels[20, 4])
  }

  /// The range follows slowly: what flickers in one frame does not flicker on the screen.
  @Test func theRangeIsSteady() throws {
    var range = GrayRange()
    let first = range.map(try result(.meters, BrightCaptures.capture(seconds: 0)).estimated)
    let second = range.map(
      try result(.meters, BrightCaptures.capture(seconds: 1, scale: 3)).estimated)
    // All depths are twice as large, white moved by a fifth of that: levels grow, and few are white already.
    #expect(first.legend != second.legend)
    #expect(second.levels[32, 20] > first.levels[32, 20])
    for _ in 0..<60 {
      _ = range.map(try result(.meters, BrightCaptures.capture(seconds: 1, scale: 3)).estimated)
    }
    let last = range.map(
      try result(.meters, BrightCaptures.capture(seconds: 1, scale: 3)).estimated)
    #expect(abs(Int(last.levels[32, 20]) - Int(first.levels[32, 20])) <= 1)
  }

  @Test func metersSayWhatTheyAreWorth() throws {
    let fitted = try result(.relativeInverse, BrightCaptures.capture(seconds: 0)).worth
    #expect(fitted.hasPrefix("Fitted to sensor depth: ± ") && fitted.contains(" mm (1 sigma) at "))
    let own = try result(.meters, BrightCaptures.capture(seconds: 0), usesSensor: false).worth
    #expect(own == "Fitted to nothing: meters as the model estimates them, ± not known")
    let relative = try result(.relativeDepth, BrightCaptures.capture(seconds: 0), usesSensor: false)
    #expect(relative.worth == "Near and far only: the model gives no meters")
  }

  /// Frames of a camera through network, fit and warning; the warning comes with its ±.
  @Test func aLiveCameraIsEstimated() async throws {
    let captures = (0..<6).map { BrightCaptures.capture(seconds: Double($0) / 10, scale: 0.5) }
    let network = BrightIsNear(meaning: .relativeInverse)
    let run = try EstimationRun(
      network, card: network.card, alert: ProximityAlert(nearMeters: 0.8))
    let shown = Mutex<[EstimationFrame]>([])
    let counts = try await run.run(FixedCamera(captures: captures), stop: RecordingStop()) {
      frame in
      shown.withLock { $0.append(frame) }
    }
    let frames = shown.withLock { $0 }
    #expect(frames.count == counts.estimated && counts.received == 6 && !frames.isEmpty)
    #expect(frames.map(\.number) == Array(1...frames.count))
    let last = try #require(frames.last)
    #expect(last.times.networkMedian != nil && last.times.text.hasPrefix("network "))
    #expect(last.image?.size == BrightCaptures.size)
    let words = try #require(last.nearness)
    #expect(words.hasPrefix("Nearest: 0.") && words.contains("±") && words.contains("by the fit"))
    // Two frames must agree; a camera that is faster than the network may leave one.
    if frames.count >= 2 { #expect(last.isNear && frames.contains { $0.isSignal }) }
  }

  @Test func withoutMetersNothingIsNear() throws {
    var frames = EstimationFrames(alert: ProximityAlert(nearMeters: 0.8))
    let frame = frames.next(
      try result(.relativeDepth, BrightCaptures.capture(seconds: 0), usesSensor: false),
      network: nil,
      whole: .milliseconds(50))
    #expect(!frame.isNear && !frame.isSignal)
    #expect(frame.nearness?.contains("fitted to nothing") == true)
    var silent = EstimationFrames(alert: nil)
    let other = silent.next(
      try result(.meters, BrightCaptures.capture(seconds: 0)), network: .milliseconds(3),
      whole: .milliseconds(50))
    #expect(other.nearness == nil && !other.isSignal)
  }
}
