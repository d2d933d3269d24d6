import NIOCore
public import PlumblineCapture
public import PlumblineModel
import PlumblineRecordings
public import PlumblineStreams
public import PlumblineExport
import Synchronization

/// Brings what sources show to any number of viewers; `/api/live`.
///
/// A frame is one message that all viewers share. A source never waits for a viewer: each has a slot for the
/// latest frame, and a slow one misses those in between. The source that began last is shown; when it
/// ends, the one before it is shown again.
public final class LiveHub: Sendable {
  private struct State {
    var feeds: [LiveFeed] = []
    var ended: EndedFeed?
    var watchers: [Int: any LiveWatcher] = [:]
    var lastNumber = 0
  }

  private let state = Mutex(State())

  /// Creates a hub without a source.
  public init() {}

  /// The number of viewers.
  public var viewerCount: Int {
    state.withLock { Array($0.watchers.values) }.reduce(0) { $0 + $1.viewerCount }
  }

  /// A source begins, and is shown.
  ///
  /// - Parameter name: What viewers call it.
  /// - Returns: Its way to the viewers.
  public func begin(_ name: String) -> LiveFeed {
    let feed = LiveFeed(name: name, hub: self)
    let watchers = state.withLock { state in
      state.feeds.append(feed)
      state.ended = nil
      return Array(state.watchers.values)
    }
    for watcher in watchers { watcher.begin(feed) }
    return feed
  }

  /// The source that is shown now.
  var shown: LiveFeed? { state.withLock { $0.feeds.last } }

  func show(_ frame: LiveFrame, of feed: LiveFeed) {
    let watchers = state.withLock { state in
      state.feeds.last === feed ? Array(state.watchers.values) : []
    }
    for watcher in watchers { watcher.offer(frame, of: feed) }
  }

  func end(_ feed: LiveFeed, reason: String) {
    let (watchers, next) = state.withLock { state in
      let wasShown = state.feeds.last === feed
      state.feeds.removeAll { $0 === feed }
      if state.feeds.isEmpty { state.ended = EndedFeed(feed: feed, reason: reason) }
      return (wasShown ? Array(state.watchers.values) : [], state.feeds.last)
    }
    for watcher in watchers {
      watcher.end(reason: reason)
      if let next { watcher.begin(next) }
    }
  }

  func join(_ watcher: any LiveWatcher) -> Int {
    let (number, feed, ended) = state.withLock { state in
      state.lastNumber += 1
      state.watchers[state.lastNumber] = watcher
      return (state.lastNumber, state.feeds.last, state.ended)
    }
    if let feed {
      watcher.begin(feed)
    } else if let ended {
      watcher.begin(after: ended)
    } else {
      watcher.beginWithoutSource()
    }
    return number
  }

  func leave(_ number: Int) { state.withLock { $0.watchers[number] = nil } }
}

/// What a viewer that comes late still hears of: the last source, its last frame, and why it ended.
struct EndedFeed: Sendable {
  let feed: LiveFeed
  let reason: String
}

/// One source's way to the viewers; may be used from any thread, and never waits.
public final class LiveFeed: Sendable {
  struct State {
    var scene: LiveScene?
    var newest: LiveFrame?
    var received = 0
    var rate = LatencyMeter()
    var drops: [DroppedFrame.Reason: Int] = [:]
    var thermal: ThermalState?
    var recording: StreamStatus.Recording?
    var isEnded = false
  }

  /// The name that viewers show.
  public let name: String
  private let hub: LiveHub
  private let state = Mutex(State())

  init(name: String, hub: LiveHub) {
    self.name = name
    self.hub = hub
  }

  /// Shows a frame; O(viewers), whatever its size.
  ///
  /// - Parameters:
  ///   - frame: The whole message, `Documentation/formats/stream.md`.
  ///   - sequence: Its `sequence`.
  ///   - moment: When the source took it; `nil` where no clocks compare.
  public func show(frame: [UInt8], sequence: Int, moment: LiveMoment?) {
    let message = WebSocketMessage(binary: frame)
    let live = state.withLock { state -> LiveFrame? in
      guard !state.isEnded else { return nil }
      let live = LiveFrame(
        message: message, sequence: sequence, moment: moment, scene: state.scene)
      state.newest = live
      state.received += 1
      state.rate.add(seconds: nil, at: .now)
      return live
    }
    if let live { hub.show(live, of: self) }
  }

  /// Says what was found out about the frames from the next one on.
  ///
  /// - Parameter scene: The whole text message of type `scene`, UTF-8.
  public func show(scene: [UInt8]) {
    let message = WebSocketMessage(text: scene)
    state.withLock { state in
      state.scene = LiveScene(message: message, number: (state.scene?.number ?? 0) + 1)
    }
  }

  /// Sends the source's thermal state to viewers.
  public func set(thermal: ThermalState) { state.withLock { $0.thermal = thermal } }

  /// Reports the source's losses to viewers.
  public func add(_ frames: DroppedFrame) {
    state.withLock { $0.drops[frames.reason, default: 0] += frames.count }
  }

  /// Reports the recording to viewers; `nil` for nothing.
  public func set(recording: StreamStatus.Recording?) {
    state.withLock { $0.recording = recording }
  }

  /// The source is over.
  ///
  /// - Parameter reason: For people.
  public func end(reason: String) {
    let wasRunning = state.withLock { state in
      defer { state.isEnded = true }
      return !state.isEnded
    }
    if wasRunning { hub.end(self, reason: reason) }
  }

  /// The frame that a new viewer sees at once.
  var newest: LiveFrame? { state.withLock { $0.newest } }

  /// The status of the stream, as reported to all viewers.
  func status() -> StreamStatus {
    let (now, viewers) = (ContinuousClock.now, hub.viewerCount)
    return state.withLock { state in
      var status = StreamStatus()
      status.framesPerSecond = Double(state.rate.count(at: now))
      status.received = state.received
      for (reason, count) in state.drops { status.dropped[reason.rawValue] = count }
      status.thermal = state.thermal
      status.viewers = viewers
      status.recording = state.recording
      return status
    }
  }
}

extension LiveHub: LiveFrameSource {
  /// The latest frame of the source that is shown, copied: O(bytes).
  public var latestFrame: LiveFrameMessage? {
    guard let feed = shown, let frame = feed.newest else { return nil }
    return LiveFrameMessage(
      camera: feed.name, sequence: frame.sequence,
      bytes: [UInt8](frame.message.buffer.readableBytesView))
  }
}
