internal import PlumblineModel

/// A bounded queue of events for a consumer.
///
/// Captures are the large events: a bounded number is queued, and each further one is counted as
/// lost. Between two captures at most one event of each other kind is queued: losses with the same
/// reason and stream are added up, motion samples are joined, and only the last state is kept.
struct EventQueue {
  /// The maximum number of queued captures.
  let capacity: Int
  /// The maximum number of motion samples between two captures.
  let motionCapacity: Int
  private var events: [DepthCameraEvent] = []
  private(set) var captureCount = 0

  init(capacity: Int, motionCapacity: Int = 4096) {
    self.capacity = capacity
    self.motionCapacity = motionCapacity
  }

  /// The number of queued events.
  var count: Int { events.count }

  /// Whether another capture fits.
  var hasRoom: Bool { captureCount < capacity }

  /// Adds an event, or the part of it that fits.
  mutating func append(_ event: DepthCameraEvent) {
    switch event {
    case .capture(let capture):
      if hasRoom {
        captureCount += 1
        events.append(event)
      } else {
        lose(DroppedFrame(timestampSeconds: capture.timestampSeconds, reason: .slowConsumer))
      }
    case .dropped(let frames): lose(frames)
    case .motion(let samples): move(samples)
    case .motionLost(let count): loseMotion(count)
    case .thermal: replace(event) { if case .thermal = $0 { true } else { false } }
    case .depthRate: replace(event) { if case .depthRate = $0 { true } else { false } }
    case .configured: replace(event) { if case .configured = $0 { true } else { false } }
    // Both kinds stay: a recording ends at an interruption, even one that is over.
    case .interrupted: replace(event) { if case .interrupted = $0 { true } else { false } }
    case .resumed: replace(event) { if case .resumed = $0 { true } else { false } }
    }
  }

  /// Removes and returns the oldest event; `nil` if there is none.
  mutating func popFirst() -> DepthCameraEvent? {
    guard !events.isEmpty else { return nil }
    let event = events.removeFirst()
    if case .capture = event { captureCount -= 1 }
    return event
  }

  private mutating func lose(_ frames: DroppedFrame) {
    for index in tail {
      guard case .dropped(var earlier) = events[index], earlier.reason == frames.reason,
        earlier.stream == frames.stream
      else { continue }
      earlier.count += frames.count
      events[index] = .dropped(earlier)
      return
    }
    events.append(.dropped(frames))
  }

  private mutating func move(_ samples: [MotionSample]) {
    for index in tail {
      guard case .motion(let earlier) = events[index] else { continue }
      let room = max(motionCapacity - earlier.count, 0)
      events[index] = .motion(earlier + samples.prefix(room))
      if samples.count > room { loseMotion(samples.count - room) }
      return
    }
    events.append(.motion(Array(samples.prefix(motionCapacity))))
    if samples.count > motionCapacity { loseMotion(samples.count - motionCapacity) }
  }

  private mutating func loseMotion(_ count: Int) {
    for index in tail {
      guard case .motionLost(let earlier) = events[index] else { continue }
      events[index] = .motionLost(sampleCount: earlier + count)
      return
    }
    events.append(.motionLost(sampleCount: count))
  }

  private mutating func replace(
    _ event: DepthCameraEvent, where isSameKind: (DepthCameraEvent) -> Bool
  ) {
    events.removeSubrange(
      tail.first { isSameKind(events[$0]) }.map { $0..<$0 + 1 } ?? events.endIndex..<events.endIndex
    )
    events.append(event)
  }

  /// The events after the last capture.
  private var tail: Range<Int> {
    let last = events.lastIndex { if case .capture = $0 { true } else { false } }
    return (last.map { $0 + 1 } ?? 0)..<events.count
  }
}
