/// A camera whose first frame is there, so that what is made for its frames, such as a file, is made
/// for a camera that has any.
public struct AwaitedCamera: DepthCameraSource {
  private let first: [DepthCameraEvent]
  private let rest: DepthCameraEvents

  /// Starts a camera and waits for its first frame.
  ///
  /// What comes before that frame is handed out before it, joined as in every buffer: losses are
  /// added up, and of states the last one counts.
  ///
  /// - Returns: `nil` where the camera ended without a frame.
  /// - Throws: Why the camera ended early.
  public init?(_ source: any DepthCameraSource) async throws(DepthCameraError) {
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

  /// Everything from the beginning on, for one consumer; the camera stops with it.
  public func events() -> DepthCameraEvents {
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
