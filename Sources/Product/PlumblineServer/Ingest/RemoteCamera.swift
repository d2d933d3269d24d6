public import PlumblineCapture
internal import PlumblineModel
import PlumblineStreams
internal import Synchronization

/// A camera elsewhere that sends its captures here, such as a phone; `/api/publish`.
///
/// It outlives its connection: one that returns within ``ServerSettings/resumeSeconds`` goes on.
public final class RemoteCamera: DepthCameraSource {
  private struct State {
    var lastSequence = -1
    var frameCount = 0
    var storedFrames: Int?
    var clock = ClockOffset()
    var queue: BoundedFrameQueue?
    /// Whether the queue was made before the first request for it.
    var isUnclaimed = false
    var watchers: [Int: AsyncStream<ReceivedFrame>.Continuation] = [:]
    var lastWatcher = 0
    var connection: WebSocketConnection?
    var connectionCount = 0
    /// The time when it was last heard of; `nil` while it is connected.
    var awaySince: ContinuousClock.Instant?
    var isOver = false
  }

  /// The name that it chose for its session, 1 to 64 of `A-Z a-z 0-9 -`.
  public let session: String
  /// The name for people; printable.
  public let name: String
  /// The feed that shows it to viewers; its frames go there by themselves.
  public let feed: LiveFeed
  private let start = ContinuousClock.now
  private let state = Mutex(State())

  init(session: String, name: String, feed: LiveFeed, keepsFrames: Bool) {
    self.session = session
    self.name = name
    self.feed = feed
    if keepsFrames {
      let queue = makeQueue()
      state.withLock { state in
        state.queue = queue
        state.isUnclaimed = true
      }
    }
  }

  /// The frames that came.
  public var frameCount: Int { state.withLock { $0.frameCount } }

  /// Whether it sent the end message or was away for too long.
  public var isOver: Bool { state.withLock { $0.isOver } }

  /// What it delivers, for one consumer that gets all of it, such as a recording.
  ///
  /// Where the consumer is slow, the camera's socket is not read and the camera waits. The first
  /// consumer gets everything from the first frame on where the endpoint keeps frames for it; a next
  /// one takes the place of the one before it.
  public func events() -> DepthCameraEvents {
    let fresh = makeQueue()
    let (queue, replaced) = state.withLock { state -> (BoundedFrameQueue, BoundedFrameQueue?) in
      if state.isUnclaimed, let kept = state.queue {
        state.isUnclaimed = false
        return (kept, nil)
      }
      defer { state.queue = fresh }
      return (fresh, state.queue)
    }
    replaced?.abandon()
    if isOver { queue.finish() }
    return DepthCameraEvents(capacity: 2) { buffer async throws(DepthCameraError) in
      while let item = await queue.next() {
        guard await buffer.send(Self.event(item)) else { break }
      }
      queue.abandon()
      self.state.withLock { if $0.queue === queue { $0.queue = nil } }
    }
  }

  private static func event(_ item: BoundedFrameQueue.Item) -> DepthCameraEvent {
    switch item {
    case .event(let event): return event
    case .frame(let frame):
      guard let decoded = try? frame.decoded() else {
        return .dropped(
          DroppedFrame(timestampSeconds: frame.header.timestampSeconds, reason: .unreadable))
      }
      return .capture(decoded.capture)
    }
  }

  /// Its latest frame each time, for consumers that may miss some, such as scene detection.
  public func latestFrames() -> AsyncStream<ReceivedFrame> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: ReceivedFrame.self, bufferingPolicy: .bufferingNewest(1))
    let number = state.withLock { state -> Int? in
      guard !state.isOver else { return nil }
      state.lastWatcher += 1
      state.watchers[state.lastWatcher] = continuation
      return state.lastWatcher
    }
    guard let number else {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { $0.watchers[number] = nil }
    }
    return stream
  }

  /// Reports to it how many of its frames a power cut would leave.
  public func report(storedFrames: Int) { state.withLock { $0.storedFrames = storedFrames } }

  /// Ends it, as if it had sent the end message.
  ///
  /// - Parameter reason: For viewers and for the camera.
  public func end(reason: String) {
    let (wasRunning, queue, watchers, connection) = state.withLock { state in
      defer {
        state.isOver = true
        state.watchers = [:]
        state.connection = nil
      }
      return (!state.isOver, state.queue, state.watchers.values.map(\.self), state.connection)
    }
    guard wasRunning else { return }
    queue?.finish()
    for watcher in watchers { watcher.finish() }
    feed.end(reason: reason)
    connection?.close(reason: reason)
  }

  // MARK: - From its connection

  /// Belongs to a connection from now on; the one before it is over.
  ///
  /// - Returns: The first number that is lacking; `nil` where the session is over.
  func attach(_ connection: WebSocketConnection) -> (next: Int, stored: Int?)? {
    let (attached, replaced) = state.withLock { state -> ((Int, Int?)?, WebSocketConnection?) in
      guard !state.isOver else { return (nil, nil) }
      defer { state.connection = connection }
      state.connectionCount += 1
      state.awaySince = nil
      return ((state.lastSequence + 1, state.storedFrames), state.connection)
    }
    replaced?.close(code: 1000, reason: "the session goes on elsewhere")
    return attached.map { (next: $0.0, stored: $0.1) }
  }

  /// A connection is gone.
  ///
  /// - Returns: How many the session had so far; `nil` where it goes on with another one.
  func detach(_ connection: WebSocketConnection) -> Int? {
    state.withLock { state in
      guard state.connection === connection else { return nil }
      state.connection = nil
      state.awaySince = connection.lastHeard
      return state.connectionCount
    }
  }

  /// When it was last heard of before it went away; `nil` while it is here.
  var awaySince: ContinuousClock.Instant? { state.withLock { $0.awaySince } }

  /// Whether the camera is away and has not come back since that many connections.
  func isAway(sinceConnection count: Int) -> Bool {
    state.withLock { $0.connection == nil && $0.connectionCount == count }
  }

  /// The receipt that is sent to the sender each second.
  var receipt: (sequence: Int, stored: Int?) {
    state.withLock { ($0.lastSequence, $0.storedFrames) }
  }

  /// Takes a frame; one that is there already is ignored.
  ///
  /// - Returns: Whether another one may come.
  func take(_ frame: ReceivedFrame) -> Bool {
    let sequence = frame.header.sequence
    let seconds = frame.header.timestampSeconds
    typealias Takers = (
      lost: Int, queue: BoundedFrameQueue?,
      offset: (offsetSeconds: Double, plusMinusSeconds: Double)?,
      watchers: [AsyncStream<ReceivedFrame>.Continuation]
    )
    let takers = state.withLock { state -> Takers? in
      let lost = sequence - state.lastSequence - 1
      guard lost >= 0 else { return nil }
      state.lastSequence = sequence
      state.frameCount += 1
      return (lost, state.queue, state.clock.best, Array(state.watchers.values))
    }
    guard let (lost, queue, offset, watchers) = takers else { return true }
    if lost > 0 {
      report(DroppedFrame(timestampSeconds: seconds, reason: .discontinuity, count: lost))
    }
    let moment = offset.flatMap { offset in
      seconds.flatMap { liveMoment(at: $0 + offset.offsetSeconds, offset.plusMinusSeconds) }
    }
    feed.show(frame: frame.bytes, sequence: sequence, moment: moment)
    for watcher in watchers { watcher.yield(frame) }
    return queue?.put(.frame(frame)) ?? true
  }

  /// A year at most from the start, so that no clock overflows a duration.
  private func liveMoment(at seconds: Double, _ plusMinus: Double) -> LiveMoment? {
    guard abs(seconds) < 86_400 * 365 else { return nil }
    return LiveMoment(start + .seconds(seconds), plusMinusSeconds: plusMinus)
  }

  /// This machine's clock since the session began.
  var seconds: Double { (ContinuousClock.now - start).seconds }

  /// Takes an exchange of clocks; times of ``seconds``.
  func compareClocks(sentAt: Double, clientSeconds: Double) {
    let now = seconds
    state.withLock {
      $0.clock.add(sentAt: sentAt, answeredAt: now, clientSeconds: clientSeconds)
    }
  }

  /// Takes news of frames that were lost.
  ///
  /// - Returns: Whether more may come.
  @discardableResult
  func report(_ frames: DroppedFrame) -> Bool {
    feed.add(frames)
    return hand(.dropped(frames))
  }

  /// Takes news of warmth.
  ///
  /// - Returns: Whether more may come.
  func report(_ thermal: ThermalState) -> Bool {
    feed.set(thermal: thermal)
    return hand(.thermal(ThermalReading(thermal)))
  }

  private func hand(_ event: DepthCameraEvent) -> Bool {
    state.withLock { $0.queue }?.put(.event(event)) ?? true
  }

  private func makeQueue() -> BoundedFrameQueue {
    BoundedFrameQueue { [weak self] in
      self?.state.withLock { $0.connection }?.setReading(true, .room)
    }
  }
}
