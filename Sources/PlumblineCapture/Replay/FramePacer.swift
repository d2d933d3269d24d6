/// Lets frames pass at their times on any clock; tests bring one that never waits.
public struct FramePacer: Sendable {
  private let sleep: @Sendable (Duration) async throws -> Void

  /// Starts counting now.
  public init<C: Clock<Duration>>(_ clock: C) {
    let start = clock.now
    sleep = { offset in try await clock.sleep(until: start.advanced(by: offset), tolerance: nil) }
  }

  /// Waits until so many seconds after the start; not at all where they have passed.
  ///
  /// - Returns: Whether to go on; `false` when the task was canceled.
  public func wait(untilSeconds seconds: Double) async -> Bool {
    // Longer than a month is a broken clock; a duration must not overflow.
    guard seconds.isFinite, seconds < 3e6 else { return !Task.isCancelled }
    do { try await sleep(.seconds(max(seconds, 0))) } catch { return false }
    return !Task.isCancelled
  }
}

/// The rate of frames that need not wait for a camera.
public enum FramePace: Sendable {
  /// Like a camera, at so many times the recorded speed; a slow consumer loses frames.
  case live(speed: Double)
  /// As fast as the consumer takes them; nothing is lost.
  case asFastAsPossible
}
