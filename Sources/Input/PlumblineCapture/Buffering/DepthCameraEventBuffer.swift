internal import Synchronization

/// The bounded buffer between a camera and its consumer.
///
/// A camera that cannot wait calls ``offer(_:)``: events that do not fit are counted as lost, and
/// the loss is reported to the consumer later. A source that can wait, such as a file, calls
/// ``send(_:)``.
public final class DepthCameraEventBuffer: Sendable {
  typealias Outcome = Result<DepthCameraEvent?, DepthCameraError>

  private struct State {
    var queue: EventQueue
    var end: Outcome?
    var isStopped = false
    var consumer: CheckedContinuation<Outcome, Never>?
    var producers: [CheckedContinuation<Void, Never>] = []
    var stop: (@Sendable () -> Void)?
  }

  private let state: Mutex<State>

  init(capacity: Int) {
    precondition(capacity >= 1, "a buffer for \(capacity) captures")
    state = Mutex(State(queue: EventQueue(capacity: capacity)))
  }

  /// Adds an event without waiting.
  ///
  /// - Returns: Whether the consumer still wants events; `false` after it has stopped.
  @discardableResult
  public func offer(_ event: DepthCameraEvent) -> Bool {
    let (consumer, goesOn) = state.withLock {
      state -> (CheckedContinuation<Outcome, Never>?, Bool) in
      guard !state.isStopped, state.end == nil else { return (nil, false) }
      guard let consumer = state.consumer else {
        state.queue.append(event)
        return (nil, true)
      }
      // A waiting consumer has already emptied the queue.
      state.consumer = nil
      return (consumer, true)
    }
    consumer?.resume(returning: .success(event))
    return goesOn
  }

  /// Adds an event as soon as there is room for another capture.
  ///
  /// - Returns: Whether the consumer still wants events; `false` after it has stopped.
  @discardableResult
  public func send(_ event: DepthCameraEvent) async -> Bool {
    while !state.withLock({ $0.isStopped || $0.end != nil || $0.queue.hasRoom }) {
      await waitForRoom()
    }
    return offer(event)
  }

  private func waitForRoom() async {
    await withCheckedContinuation { continuation in
      let isNeedless = state.withLock { state -> Bool in
        if state.isStopped || state.end != nil || state.queue.hasRoom { return true }
        state.producers.append(continuation)
        return false
      }
      if isNeedless { continuation.resume() }
    }
  }

  /// Ends the events after those in the queue.
  ///
  /// - Parameter error: The reason; `nil` for a regular end.
  public func finish(throwing error: DepthCameraError? = nil) {
    let outcome: Outcome = error.map { .failure($0) } ?? .success(nil)
    let (consumer, producers) = state.withLock { state in
      if state.end == nil { state.end = outcome }
      defer { (state.consumer, state.producers) = (nil, []) }
      return (state.consumer, state.producers)
    }
    consumer?.resume(returning: outcome)
    for producer in producers { producer.resume() }
  }

  /// Sets an action that runs once when the consumer stops, or at once if it has already stopped.
  func onStop(_ stop: @escaping @Sendable () -> Void) {
    let isStopped = state.withLock { state in
      if !state.isStopped { state.stop = stop }
      return state.isStopped
    }
    if isStopped { stop() }
  }

  /// Stops for the consumer; queued events are discarded.
  func stop() {
    let (consumer, producers, stop) = state.withLock { state in
      state.isStopped = true
      while state.queue.popFirst() != nil {}
      defer { (state.consumer, state.producers, state.stop) = (nil, [], nil) }
      return (state.consumer, state.producers, state.stop)
    }
    consumer?.resume(returning: .success(nil))
    for producer in producers { producer.resume() }
    stop?()
  }

  /// Waits for the next event and returns it.
  ///
  /// - Precondition: No other task is waiting.
  func next() async -> Outcome {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let (outcome, producers) = state.withLock {
          state -> (Outcome?, [CheckedContinuation<Void, Never>]) in
          if state.isStopped { return (.success(nil), []) }
          if let event = state.queue.popFirst() {
            defer { state.producers = [] }
            return (.success(event), state.producers)
          }
          if let end = state.end {
            // A failure is reported once; then there are no more events.
            state.end = .success(nil)
            return (end, [])
          }
          precondition(state.consumer == nil, "events have one consumer")
          state.consumer = continuation
          return (nil, [])
        }
        for producer in producers { producer.resume() }
        if let outcome { continuation.resume(returning: outcome) }
      }
    } onCancel: {
      stop()
    }
  }
}
