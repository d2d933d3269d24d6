internal import Synchronization

/// The state of one stream that is being sent, and the tasks that wait for it to change.
final class PublishingRun: Sendable {
  private struct State {
    var session: PublishingSession
    var clock: SenderClockReading
    var isFinished = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let start = ContinuousClock.now
  private let state: Mutex<State>
  private let progress: @Sendable (PublishingStatus) -> Void

  init(
    _ session: PublishingSession, clock: SenderClockReading,
    progress: @escaping @Sendable (PublishingStatus) -> Void
  ) {
    state = Mutex(State(session: session, clock: clock))
    self.progress = progress
  }

  /// Seconds since the stream began, on this machine's clock.
  var now: Double {
    let parts = (ContinuousClock.now - start).components
    return Double(parts.seconds) + Double(parts.attoseconds) * 1e-18
  }

  /// The camera's time now; `nil` where it is not known yet.
  var cameraSeconds: Double? { state.withLock { $0.clock.seconds(at: now) } }

  /// A frame of the camera came.
  func noteFrame(timestampSeconds: Double?) {
    state.withLock { $0.clock.take(timestampSeconds: timestampSeconds, arrivedAt: now) }
  }

  /// Looks.
  func read<Value>(_ body: (PublishingSession) -> Value) -> Value {
    state.withLock { body($0.session) }
  }

  /// Changes the session, wakes waiting tasks, and reports the status.
  @discardableResult
  func change<Value: Sendable, Failure: Error>(
    _ body: (inout PublishingSession) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    typealias Change = (
      value: Value, waiting: [CheckedContinuation<Void, Never>], status: PublishingStatus
    )
    let change = try state.withLock { state throws(Failure) -> Change in
      let value = try body(&state.session)
      defer { state.waiting = [] }
      return (value, state.waiting, state.session.status(at: now))
    }
    for waiter in change.waiting { waiter.resume() }
    progress(change.status)
    return change.value
  }

  /// The stream is over; no task waits any more.
  func finish() {
    state.withLock { $0.isFinished = true }
    wake()
  }

  /// Waits until something holds.
  ///
  /// - Returns: Whether it does; `false` when the stream is over or the task canceled.
  func wait(until holds: @escaping @Sendable (PublishingSession) -> Bool) async -> Bool {
    await withTaskCancellationHandler {
      while !Task.isCancelled {
        let answer = state.withLock { $0.isFinished ? false : holds($0.session) ? true : nil }
        if let answer { return answer }
        await withCheckedContinuation { continuation in
          let isNeedless = state.withLock { state in
            if state.isFinished || Task.isCancelled || holds(state.session) { return true }
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
