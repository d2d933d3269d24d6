internal import NIOCore
import PlumblineIO
import PlumblineStreams
internal import Synchronization

/// One browser that watches.
///
/// A next frame is sent when at most one is not yet shown and the system has taken everything before:
/// so at most two frames are under way, whatever the size of the network's buffers.
final class LiveViewer: WebSocketReceiver, LiveWatcher {
  private struct State {
    var feed: LiveFeed?
    var waiting: LiveFrame?
    var unshown: [Int] = []
    var skipped = 0
    var sceneNumber: Int?
    var latency = LatencyMeter()
    var plusMinusSeconds = 0.0
    var isScheduled = false
    var number: Int?
    var statusTimer: RepeatedTask?
  }

  /// Frames that may be sent and not yet shown before the next one.
  private static let credit = 1
  private static let statusSeconds = 0.5

  private let hub: LiveHub
  private let connection: WebSocketConnection
  private let state = Mutex(State())

  init(hub: LiveHub, connection: WebSocketConnection) {
    self.hub = hub
    self.connection = connection
  }

  /// Enters the hub and begins to tell how things are.
  func start() {
    let number = hub.join(self)
    let delay = TimeAmount.of(seconds: Self.statusSeconds)
    let timer = connection.channel.eventLoop.scheduleRepeatedTask(
      initialDelay: delay, delay: delay
    ) { [weak self] _ in self?.tellStatus() }
    state.withLock { state in
      state.number = number
      state.statusTimer = timer
    }
  }

  // MARK: - From the hub, on any thread

  var viewerCount: Int { 1 }

  func beginWithoutSource() { announce(source: "") }

  func begin(after ended: EndedFeed) {
    announce(source: ended.feed.name)
    if let last = ended.feed.newest {
      if let scene = last.scene { connection.send(scene.message) }
      connection.send(last.message)
    }
    connection.send(.ended(reason: ended.reason))
  }

  private func announce(source: String) { connection.send(.live(source: source)) }

  func begin(_ feed: LiveFeed) {
    state.withLock { state in
      state.feed = feed
      state.waiting = nil
      state.unshown = []
      state.sceneNumber = nil
      state.skipped = 0
      state.latency = LatencyMeter()
    }
    announce(source: feed.name)
    guard let newest = feed.newest else { return }
    // How long it has been lying there is no latency.
    offer(
      LiveFrame(
        message: newest.message, sequence: newest.sequence, moment: nil, scene: newest.scene),
      of: feed)
  }

  func offer(_ frame: LiveFrame, of feed: LiveFeed) {
    let isNew = state.withLock { state in
      guard state.feed === feed else { return false }
      if state.waiting != nil { state.skipped += 1 }
      state.waiting = frame
      defer { state.isScheduled = true }
      return !state.isScheduled
    }
    if isNew { connection.channel.eventLoop.execute { [self] in pump() } }
  }

  func end(reason: String) {
    state.withLock { state in
      state.feed = nil
      state.waiting = nil
      state.unshown = []
    }
    connection.send(.ended(reason: reason))
  }

  // MARK: - From the connection, on its own thread

  func received(text: String) {
    guard case .shown(let sequence)? = try? StreamMessage(Array(text.utf8)) else { return }
    state.withLock { state in
      guard let index = state.unshown.firstIndex(of: sequence) else { return }
      state.unshown.removeFirst(index + 1)
    }
    pump()
  }

  func binaryBegins() -> Bool {
    connection.close(code: 1003, reason: "a viewer sends no frames")
    return false
  }

  func received(binary: [UInt8]) {}

  func drained() { pump() }

  func closed() {
    let (number, timer) = state.withLock { state in
      state.waiting = nil
      return (state.number, state.statusTimer)
    }
    timer?.cancel()
    if let number { hub.leave(number) }
  }

  private func pump() {
    let next = state.withLock { state -> (LiveFrame, LiveScene?)? in
      state.isScheduled = false
      guard let frame = state.waiting, state.unshown.count <= Self.credit,
        connection.pendingByteCount == 0
      else { return nil }
      state.waiting = nil
      state.unshown.append(frame.sequence)
      guard let scene = frame.scene, scene.number != state.sceneNumber else { return (frame, nil) }
      state.sceneNumber = scene.number
      return (frame, scene)
    }
    guard let (frame, scene) = next else { return }
    if let scene { connection.send(scene.message) }
    connection.send(frame.message) { [weak self] in self?.taken(frame) }
  }

  private func taken(_ frame: LiveFrame) {
    let now = ContinuousClock.now
    state.withLock { state in
      state.latency.add(seconds: frame.moment.map { (now - $0.instant).seconds }, at: now)
      state.plusMinusSeconds = frame.moment?.plusMinusSeconds ?? 0
    }
  }

  // MARK: - Status

  private func tellStatus() {
    // A client that takes nothing needs no news about it.
    guard connection.pendingByteCount == 0, let feed = state.withLock({ $0.feed }) else { return }
    let now = ContinuousClock.now
    let (skipped, latency, plusMinus) = state.withLock { state in
      (state.skipped, state.latency.medianSeconds(at: now), state.plusMinusSeconds)
    }
    var status = feed.status()
    status.skipped = skipped
    status.latencyMilliseconds = latency.map { $0 * 1000 }
    status.latencyPlusMinusMilliseconds = latency.map { _ in plusMinus * 1000 }
    connection.send(.status(status))
  }
}

/// The endpoint where browsers watch: `/api/live`.
public struct LiveEndpoint: WebSocketEndpoint {
  /// `/api/live`.
  public let path = "/api/live"
  /// ``ClientKind/viewer``.
  public let clientKind = ClientKind.viewer
  /// Room for `shown`, and no more.
  public let messageByteLimit = 4096
  private let hub: LiveHub

  /// Shows what a hub shows.
  public init(_ hub: LiveHub) { self.hub = hub }

  /// A browser begins to watch.
  public func open(_ connection: WebSocketConnection) -> any WebSocketReceiver {
    let viewer = LiveViewer(hub: hub, connection: connection)
    viewer.start()
    return viewer
  }
}
