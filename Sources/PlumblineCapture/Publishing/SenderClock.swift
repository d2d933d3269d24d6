internal import Dispatch

/// The clock of a camera's times, for a server that asks what it shows.
public enum SenderClock: Sendable {
  /// Seconds since the device was started, without sleep: what AVFoundation and ARKit stamp their frames
  /// with.
  ///
  /// - Source: `CMClockGetHostTimeClock()` counts `mach_absolute_time()`, and so does
  ///   `DispatchTime.uptimeNanoseconds`. Untried on a device.
  case uptime
  /// Unknown, as of a simulated camera or a recording that is played again: the frame that came with the
  /// least delay among the last 64 is taken to have had none.
  case frames
}

/// Gives a camera's time at any moment.
struct SenderClockReading: Sendable {
  private static let frameCount = 64

  let clock: SenderClock
  private var offsets: [Double] = []

  init(_ clock: SenderClock) { self.clock = clock }

  /// Takes a frame's own time and the publisher's time at which it came.
  mutating func take(timestampSeconds: Double?, arrivedAt: Double) {
    guard case .frames = clock, let timestampSeconds, timestampSeconds.isFinite else { return }
    offsets.append(arrivedAt - timestampSeconds)
    if offsets.count > Self.frameCount { offsets.removeFirst() }
  }

  /// The camera's time at one of the publisher's own; `nil` before the first frame with a time.
  func seconds(at now: Double) -> Double? {
    switch clock {
    case .uptime: Double(DispatchTime.now().uptimeNanoseconds) * 1e-9
    case .frames: offsets.min().map { now - $0 }
    }
  }
}
