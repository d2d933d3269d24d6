import PlumblineNumerics

/// The moment at which a source took a frame, on this machine's clock.
public struct LiveMoment: Hashable, Sendable {
  /// The moment.
  public var instant: ContinuousClock.Instant
  /// By how much it may be off, in seconds; 0 for a source on this machine.
  public var plusMinusSeconds: Double

  /// A moment, such as now.
  public init(_ instant: ContinuousClock.Instant = .now, plusMinusSeconds: Double = 0) {
    self.instant = instant
    self.plusMinusSeconds = plusMinusSeconds
  }
}

/// What waits for a viewer: a frame and the scene that it belongs to.
struct LiveFrame: Sendable {
  let message: WebSocketMessage
  let sequence: Int
  let moment: LiveMoment?
  let scene: LiveScene?
}

/// A scene, identified by its number.
struct LiveScene: Sendable {
  let message: WebSocketMessage
  let number: Int
}

/// A receiver of what a hub shows; called on the source's thread, which must not be blocked.
protocol LiveWatcher: AnyObject, Sendable {
  /// The number of clients behind it.
  var viewerCount: Int { get }
  /// It has joined, and there is no source yet.
  func beginWithoutSource()
  /// It has joined when the last source was over.
  func begin(after ended: EndedFeed)
  /// A source is shown from now on.
  func begin(_ feed: LiveFeed)
  /// Takes the latest frame of a source; it is ignored unless that source is still shown.
  func offer(_ frame: LiveFrame, of feed: LiveFeed)
  /// The source that is shown has ended.
  func end(reason: String)
}

/// The latencies and the number of frames of the last second.
struct LatencyMeter {
  private var samples: [(at: ContinuousClock.Instant, seconds: Double?)] = []
  /// No source has more frames in a second that count.
  private static let sampleLimit = 1000

  /// Takes a frame that was handed to the system just now; without a latency where none is known.
  mutating func add(seconds: Double?, at now: ContinuousClock.Instant) {
    forget(before: now)
    if samples.count < Self.sampleLimit { samples.append((now, seconds)) }
  }

  /// The median of the last second; `nil` for none.
  mutating func medianSeconds(at now: ContinuousClock.Instant) -> Double? {
    forget(before: now)
    return samples.compactMap(\.seconds).median
  }

  /// The number of frames in the last second.
  mutating func count(at now: ContinuousClock.Instant) -> Int {
    forget(before: now)
    return samples.count
  }

  private mutating func forget(before now: ContinuousClock.Instant) {
    let start = now - .seconds(1)
    let kept = samples.firstIndex { $0.at >= start } ?? samples.endIndex
    samples.removeFirst(kept)
  }
}

extension Duration {
  /// In seconds.
  var seconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
