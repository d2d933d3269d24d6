internal import PlumblineCapture

/// The depth output of a simulated camera: which of its frames come, when, and which are lost.
struct LiveDepthOutput {
  /// A depth frame, or the news of its loss, on its way.
  struct Arrival {
    let arrivalSeconds: Double
    let timestampSeconds: Double
    let frame: Int
    let reason: DroppedFrame.Reason?
  }

  private let settings: LiveCameraSettings
  private var generator: SeededGenerator
  private var waiting: [Arrival] = []
  private var lastArrival = -Double.infinity

  init(_ settings: LiveCameraSettings, generator: SeededGenerator) {
    self.settings = settings
    self.generator = generator
  }

  /// Exposes a frame; it arrives later.
  mutating func expose(_ frame: Int, at seconds: Double, isInterrupted: Bool) {
    // All draws happen for every frame, so that one effect never shifts another.
    let fate = generator.uniform()
    let spread = -portableLogarithm(max(1 - generator.uniform(), 1e-12))
    let latency = settings.depthLatencySeconds + settings.latencySpreadSeconds * spread
    var reason: DroppedFrame.Reason?
    if isInterrupted {
      reason = .discontinuity
    } else {
      var passed = 0.0
      for candidate in DroppedFrame.Reason.allCases {
        passed += settings.dropShares[candidate] ?? 0
        if reason == nil, fate < passed { reason = candidate }
      }
      if reason == nil, latency > settings.lateSeconds { reason = .lateData }
    }
    // An output hands its frames out in order.
    lastArrival = max(lastArrival, seconds + min(latency, settings.lateSeconds))
    waiting.append(
      Arrival(
        arrivalSeconds: lastArrival, timestampSeconds: seconds, frame: frame, reason: reason))
  }

  /// What has arrived until a moment, in order.
  mutating func arrivals(until seconds: Double) -> [Arrival] {
    let count = waiting.prefix { $0.arrivalSeconds <= seconds }.count
    defer { waiting.removeFirst(count) }
    return Array(waiting.prefix(count))
  }
}
