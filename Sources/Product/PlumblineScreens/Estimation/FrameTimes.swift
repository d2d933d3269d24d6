import PlumblineModel

/// How long frames took lately: the network alone, and all of a frame.
public struct FrameTimes: Sendable, Hashable {
  /// So many frames are remembered.
  static let count = 60
  private var network: [Duration] = []
  private var whole: [Duration] = []
  private var ends: [ContinuousClock.Instant] = []

  /// Nothing was measured yet.
  public init() {}

  /// Adds a frame.
  ///
  /// - Parameters:
  ///   - network: How long the network ran; `nil` where that was not measured.
  ///   - whole: How long all of the frame took.
  ///   - end: When it was done.
  public mutating func add(network: Duration?, whole: Duration, end: ContinuousClock.Instant) {
    if let network { self.network.append(network) }
    self.whole.append(whole)
    ends.append(end)
    self.network = self.network.suffix(Self.count)
    self.whole = self.whole.suffix(Self.count)
    ends = ends.suffix(Self.count)
  }

  /// The median run of the network; `nil` before the first.
  public var networkMedian: Duration? { Self.quantile(0.5, of: network) }
  /// The median frame.
  public var wholeMedian: Duration? { Self.quantile(0.5, of: whole) }
  /// Nineteen of twenty frames took at most this.
  public var wholeLongest: Duration? { Self.quantile(0.95, of: whole) }
  /// The rate at which frames were done; `nil` before two.
  public var framesPerSecond: Double? {
    guard let first = ends.first, let last = ends.last, ends.count > 1, last > first else {
      return nil
    }
    return Double(ends.count - 1) / ((last - first) / .seconds(1))
  }

  /// In words, such as `network 31 ms, frame 58 ms (95 % within 72 ms), 14.2 frames/s`.
  public var text: String {
    guard let wholeMedian, let wholeLongest else { return "no frame yet" }
    let own = networkMedian.map { "network \(Self.milliseconds($0)), " } ?? ""
    let rate = framesPerSecond.map { ", \($0.fixed(1)) frames/s" } ?? ""
    return own + "frame \(Self.milliseconds(wholeMedian)) "
      + "(95 % within \(Self.milliseconds(wholeLongest)))" + rate
  }

  private static func milliseconds(_ duration: Duration) -> String {
    "\((duration / .milliseconds(1)).fixed(0)) ms"
  }

  private static func quantile(_ share: Double, of durations: [Duration]) -> Duration? {
    let sorted = durations.sorted()
    guard !sorted.isEmpty else { return nil }
    return sorted[min(sorted.count - 1, Int(share * Double(sorted.count)))]
  }
}
