import Synchronization

/// A clock that jumps to the end of each sleep, so that no test ever waits.
final class InstantClock: Clock {
  struct Instant: InstantProtocol {
    var offset: Duration
    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (a: Instant, b: Instant) -> Bool { a.offset < b.offset }
  }

  private let state = Mutex<(now: Duration, sleeps: [Double])>((.zero, []))

  var now: Instant { Instant(offset: state.withLock { $0.now }) }
  var minimumResolution: Duration { .zero }

  /// The moments, in seconds, until which a task slept.
  var sleeps: [Double] { state.withLock { $0.sleeps } }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
    state.withLock { state in
      state.now = max(state.now, deadline.offset)
      let parts = deadline.offset.components
      state.sleeps.append(Double(parts.seconds) + Double(parts.attoseconds) * 1e-18)
    }
  }
}
