/// The rate, the bytes and the delay of the frames that were sent within the last second.
struct SendingMeter: Sendable {
  private struct Sample {
    var at: Double
    var byteCount: Int
    var delay: Double
  }

  /// No camera has more frames in a second that count.
  private static let sampleLimit = 1000
  private var samples: [Sample] = []

  /// Takes a frame; times in seconds of the publisher's own clock.
  mutating func add(at now: Double, byteCount: Int, delaySeconds: Double) {
    forget(before: now)
    if samples.count < Self.sampleLimit {
      samples.append(Sample(at: now, byteCount: byteCount, delay: delaySeconds))
    }
  }

  /// The bytes of the last second.
  mutating func bytesPerSecond(at now: Double) -> Int {
    forget(before: now)
    return samples.reduce(0) { $0 + $1.byteCount }
  }

  /// The number of frames of the last second.
  mutating func framesPerSecond(at now: Double) -> Int {
    forget(before: now)
    return samples.count
  }

  /// The median delay of the last second; `nil` for no frame.
  mutating func medianDelaySeconds(at now: Double) -> Double? {
    forget(before: now)
    let sorted = samples.map(\.delay).sorted()
    return sorted.isEmpty ? nil : sorted[sorted.count / 2]
  }

  private mutating func forget(before now: Double) {
    samples.removeFirst(samples.firstIndex { $0.at >= now - 1 } ?? samples.endIndex)
  }
}
