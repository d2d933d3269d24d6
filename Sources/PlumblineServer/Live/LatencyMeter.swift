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
    let sorted = samples.compactMap(\.seconds).sorted()
    guard !sorted.isEmpty else { return nil }
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
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
