import Synchronization

/// One camera for several consumers, such as a preview and a recording.
///
/// The camera starts with the first consumer and stops after the last one. Each consumer has its
/// own bounded buffer: a slow one loses frames, which is reported only to it. A later consumer gets
/// the camera's configuration and the events from then on. When the camera ends or fails, all consumers are informed; the next
/// consumer restarts it.
public final class DepthCameraRelay: DepthCameraSource {
  private struct State {
    var consumers: [Int: DepthCameraEventBuffer] = [:]
    var lastNumber = 0
    var run: (number: Int, task: Task<Void, Never>)?
    /// What the running camera was configured for, for consumers that come later.
    var summary: StreamSummary?
  }

  private let source: any DepthCameraSource
  private let capacity: Int
  private let state = Mutex(State())

  /// Shares a camera.
  ///
  /// - Parameters:
  ///   - source: The camera.
  ///   - capacity: The maximum number of queued captures for each consumer, at least 1.
  public init(_ source: any DepthCameraSource, capacity: Int = 4) {
    self.source = source
    self.capacity = capacity
  }

  /// The events of the camera from now on.
  public func events() -> DepthCameraEvents {
    DepthCameraEvents(capacity: capacity) { buffer in
      let number = join(buffer)
      return { self.leave(number) }
    }
  }

  private func join(_ buffer: DepthCameraEventBuffer) -> Int {
    state.withLock { state in
      state.lastNumber += 1
      let number = state.lastNumber
      state.consumers[number] = buffer
      if let summary = state.summary { buffer.offer(.configured(summary)) }
      if state.run == nil {
        state.run = (number, Task.detached { [self] in await relay(number) })
      }
      return number
    }
  }

  private func leave(_ number: Int) {
    let task = state.withLock { state -> Task<Void, Never>? in
      state.consumers[number] = nil
      guard state.consumers.isEmpty else { return nil }
      defer { (state.run, state.summary) = (nil, nil) }
      return state.run?.task
    }
    task?.cancel()
  }

  private func relay(_ number: Int) async {
    var failure: DepthCameraError?
    do throws(DepthCameraError) {
      for try await event in source.events() {
        for consumer in consumers(of: number, noting: event) { consumer.offer(event) }
      }
    } catch { failure = error }
    // A run that was already replaced must not end the next one.
    let consumers = state.withLock { state -> [DepthCameraEventBuffer] in
      guard state.run?.number == number else { return [] }
      defer { (state.consumers, state.run, state.summary) = ([:], nil, nil) }
      return Array(state.consumers.values)
    }
    for consumer in consumers { consumer.finish(throwing: failure) }
  }

  private func consumers(of run: Int, noting event: DepthCameraEvent) -> [DepthCameraEventBuffer] {
    state.withLock { state in
      guard state.run?.number == run else { return [] }
      if case .configured(let summary) = event { state.summary = summary }
      return Array(state.consumers.values)
    }
  }
}

/// A camera whose first frame has arrived, so that resources for its frames, such as a file, are
/// created only for a camera that delivers frames.
package struct AwaitedCamera: DepthCameraSource {
  private let first: [DepthCameraEvent]
  private let rest: DepthCameraEvents

  /// Starts a camera and waits for its first frame.
  ///
  /// Events before that frame are delivered before it, combined as in every buffer: losses are
  /// added up, and only the last state is kept.
  ///
  /// - Returns: `nil` if the camera ended without a frame.
  /// - Throws: Why the camera ended early.
  package init?(_ source: any DepthCameraSource) async throws(DepthCameraError) {
    let events = source.events()
    var iterator = events.makeAsyncIterator()
    var queue = EventQueue(capacity: 1)
    while queue.captureCount == 0 {
      guard let event = try await iterator.next() else { return nil }
      queue.append(event)
    }
    var first: [DepthCameraEvent] = []
    while let event = queue.popFirst() { first.append(event) }
    self.first = first
    rest = events
  }

  /// All events from the start, for one consumer; the camera stops with it.
  package func events() -> DepthCameraEvents {
    DepthCameraEvents(capacity: 1) { [first, rest] buffer throws(DepthCameraError) in
      defer { rest.stop() }
      for event in first {
        guard await buffer.send(event) else { return }
      }
      for try await event in rest {
        guard await buffer.send(event) else { return }
      }
    }
  }
}
