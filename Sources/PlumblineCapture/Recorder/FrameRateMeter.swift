/// Counts frames over the last second of their own clock.
struct FrameRateMeter: Sendable {
  private var times: [Double] = []

  /// Takes a frame's time and says the rate; `nil` for a single frame, or where the clock jumped.
  mutating func rate(afterFrameAt seconds: Double) -> Double? {
    // A clock that goes backwards starts a new count.
    if let last = times.last, !(seconds > last) { times.removeAll(keepingCapacity: true) }
    times.append(seconds)
    // A thousandth of rounding keeps the frame that lies a second back.
    times.removeFirst(times.firstIndex { $0 >= seconds - 1.001 } ?? 0)
    // No camera has more than a thousand frames a second; a broken clock may.
    if times.count > 1001 { times.removeFirst(times.count - 1001) }
    guard let first = times.first, seconds > first else { return nil }
    return Double(times.count - 1) / (seconds - first)
  }
}
