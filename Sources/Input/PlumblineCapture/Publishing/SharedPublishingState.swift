import Dispatch
import Synchronization

/// The state machine of one stream, shared by the tasks that send it and wait for its changes.
final class SharedPublishingState: Sendable {
  private struct State {
    var machine: PublishingStateMachine
    var clock: SenderClockReading
    var isFinished = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let start = ContinuousClock.now
  private let state: Mutex<State>
  private let progress: @Sendable (PublishingStatus) -> Void

  init(
    _ machine: PublishingStateMachine, clock: SenderClockReading,
    progress: @escaping @Sendable (PublishingStatus) -> Void
  ) {
    state = Mutex(State(machine: machine, clock: clock))
    self.progress = progress
  }

  /// Seconds since the start of the stream, on the host's clock.
  var now: Double {
    let parts = (ContinuousClock.now - start).components
    return Double(parts.seconds) + Double(parts.attoseconds) * 1e-18
  }

  /// The current time on the camera's clock; `nil` if it is not yet known.
  var cameraSeconds: Double? { state.withLock { $0.clock.seconds(at: now) } }

  /// Notes the time of a frame that has just arrived from the camera.
  func noteFrame(timestampSeconds: Double?) {
    state.withLock { $0.clock.take(timestampSeconds: timestampSeconds, arrivedAt: now) }
  }

  /// Reads the state machine.
  func read<Value>(_ body: (PublishingStateMachine) -> Value) -> Value {
    state.withLock { body($0.machine) }
  }

  /// Changes the state machine, wakes waiting tasks and reports the status.
  @discardableResult
  func change<Value: Sendable, Failure: Error>(
    _ body: (inout PublishingStateMachine) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    typealias Change = (
      value: Value, waiting: [CheckedContinuation<Void, Never>], status: PublishingStatus
    )
    let change = try state.withLock { state throws(Failure) -> Change in
      let value = try body(&state.machine)
      defer { state.waiting = [] }
      return (value, state.waiting, state.machine.status(at: now))
    }
    for waiter in change.waiting { waiter.resume() }
    progress(change.status)
    return change.value
  }

  /// Ends the stream; no task waits any more.
  func finish() {
    state.withLock { $0.isFinished = true }
    wake()
  }

  /// Waits until a condition holds.
  ///
  /// - Returns: Whether it holds; `false` if the stream has ended or the task was canceled.
  func wait(until holds: @escaping @Sendable (PublishingStateMachine) -> Bool) async -> Bool {
    await withTaskCancellationHandler {
      while !Task.isCancelled {
        let outcome = state.withLock { $0.isFinished ? false : holds($0.machine) ? true : nil }
        if let outcome { return outcome }
        await withCheckedContinuation { continuation in
          let isNeedless = state.withLock { state in
            if state.isFinished || Task.isCancelled || holds(state.machine) { return true }
            state.waiting.append(continuation)
            return false
          }
          if isNeedless { continuation.resume() }
        }
      }
      return false
    } onCancel: {
      wake()
    }
  }

  private func wake() {
    let waiting = state.withLock { state in
      defer { state.waiting = [] }
      return state.waiting
    }
    for waiter in waiting { waiter.resume() }
  }
}

/// The clock of a camera's frame times, for a server that requests the current time.
public enum SenderClock: Sendable {
  /// Seconds since the device was started, without sleep; the clock of frame times in AVFoundation
  /// and ARKit.
  ///
  /// - Source: `CMClockGetHostTimeClock()` counts `mach_absolute_time()`, and so does
  ///   `DispatchTime.uptimeNanoseconds`. Not tested on a device.
  case uptime
  /// An unknown clock, as for a simulated camera or a replayed recording: of the last 64 frames,
  /// the one with the minimum delay is assumed to have no delay.
  case frames
}

/// Estimates a camera's time at any time.
struct SenderClockReading: Sendable {
  private static let frameCount = 64

  let clock: SenderClock
  private var offsets: [Double] = []

  init(_ clock: SenderClock) { self.clock = clock }

  /// Adds a frame's own time, and its arrival on the publisher's clock.
  mutating func take(timestampSeconds: Double?, arrivedAt: Double) {
    guard case .frames = clock, let timestampSeconds, timestampSeconds.isFinite else { return }
    offsets.append(arrivedAt - timestampSeconds)
    if offsets.count > Self.frameCount { offsets.removeFirst() }
  }

  /// The camera's time at a time of the publisher's clock; `nil` before the first frame with a
  /// time.
  func seconds(at now: Double) -> Double? {
    switch clock {
    case .uptime: Double(DispatchTime.now().uptimeNanoseconds) * 1e-9
    case .frames: offsets.min().map { now - $0 }
    }
  }
}
