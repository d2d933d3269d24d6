internal import PlumblineModel

/// Events that wait for a consumer; it never grows over its bounds.
///
/// Captures are the large ones: a bounded number waits, and one more is counted as lost. Between two
/// captures at most one event of each other kind waits: losses of one reason are added up, motion
/// samples joined, and of states only the last one counts.
struct EventQueue {
  /// The most captures that wait.
  let capacity: Int
  /// The most motion samples between two captures.
  let motionCapacity: Int
  private var events: [DepthCameraEvent] = []
  private(set) var captureCount = 0

  init(capacity: Int, motionCapacity: Int = 4096) {
    self.capacity = capacity
    self.motionCapacity = motionCapacity
  }

  /// The number of events that wait.
  var count: Int { events.count }

  /// Whether another capture would find room.
  var hasRoom: Bool { captureCount < capacity }

  /// Takes an event, or what is left of it.
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
    }
  }

  /// The event that waits longest; `nil` for none.
  mutating func popFirst() -> DepthCameraEvent? {
    guard !events.isEmpty else { return nil }
    let event = events.removeFirst()
    if case .capture = event { captureCount -= 1 }
    return event
  }

  private mutating func lose(_ frames: DroppedFrame) {
    for index in tail {
      guard case .dropped(var earlier) = events[index], earlier.reason == frames.reason
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
