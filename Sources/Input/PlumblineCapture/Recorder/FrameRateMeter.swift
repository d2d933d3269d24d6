/// Measures the frame rate over the last second of the frames' own clock.
struct FrameRateMeter: Sendable {
  private var times: [Double] = []

  /// Adds a frame's time and returns the rate; `nil` for a single frame, or if the clock jumped.
  mutating func rate(afterFrameAt seconds: Double) -> Double? {
    // A clock that goes backwards starts a new count.
    if let last = times.last, !(seconds > last) { times.removeAll(keepingCapacity: true) }
    times.append(seconds)
    // A tolerance of 0.001 keeps a frame that is exactly one second old.
    times.removeFirst(times.firstIndex { $0 >= seconds - 1.001 } ?? 0)
    // No camera has more than a thousand frames per second, but a faulty clock may.
    if times.count > 1001 { times.removeFirst(times.count - 1001) }
    guard let first = times.first, seconds > first else { return nil }
    return Double(times.count - 1) / (seconds - first)
  }
}
