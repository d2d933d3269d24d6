internal import Synchronization

/// The endpoint to which remote cameras send their captures: `/api/publish`.
public final class IngestEndpoint: WebSocketEndpoint {
  private struct State {
    var cameras: [String: RemoteCamera] = [:]
    var connectionCount = 0
    var isStopped = false
  }

  /// `/api/publish`.
  public let path = "/api/publish"
  /// ``ClientKind/camera``.
  public let clientKind = ClientKind.camera
  /// ``ServerSettings/messageByteLimit``.
  public let messageByteLimit: Int
  /// ``ServerSettings/framesPerSecondLimit``, and as much again for text.
  public var messagesPerSecondLimit: Double { 2 * settings.framesPerSecondLimit + 10 }
  /// ``ServerSettings/silenceSeconds``.
  public var silenceSeconds: Double? { settings.silenceSeconds }

  let settings: ServerSettings
  private let hub: LiveHub
  private let keepsFrames: Bool
  private let onCamera: @Sendable (RemoteCamera) -> Void
  private let state = Mutex(State())

  /// Takes cameras in.
  ///
  /// - Parameters:
  ///   - hub: Shows their frames.
  ///   - settings: The limits.
  ///   - keepsFrames: Whether frames wait from the first one for a consumer that `onCamera` starts,
  ///     such as a recording; without, frames before ``RemoteCamera/events()`` are shown only.
  ///   - onCamera: Called once for each session, on the connection's thread, which must not be held
  ///     up.
  public init(
    hub: LiveHub, settings: ServerSettings, keepsFrames: Bool,
    onCamera: @escaping @Sendable (RemoteCamera) -> Void
  ) {
    self.hub = hub
    self.settings = settings
    self.keepsFrames = keepsFrames
    self.onCamera = onCamera
    messageByteLimit = settings.messageByteLimit
  }

  /// A camera connects.
  public func open(_ connection: WebSocketConnection) -> any WebSocketReceiver {
    let ingest = IngestConnection(endpoint: self, connection: connection)
    // Each may send a large message before it has said who it is; so there are few of them.
    let isRoom = state.withLock { state in
      state.connectionCount += 1
      return state.connectionCount <= 2 * settings.remoteCameraLimit
    }
    if isRoom { ingest.start() } else { connection.abort() }
    return ingest
  }

  /// Ends all sessions, so that their recordings are finished; takes no more.
  public func stop() {
    let cameras = state.withLock { state in
      state.isStopped = true
      defer { state.cameras = [:] }
      return Array(state.cameras.values)
    }
    for camera in cameras { camera.end(reason: "the server ends") }
  }

  /// A connection is over.
  func leave() { state.withLock { $0.connectionCount -= 1 } }

  /// The camera of a session, new or resumed; `nil` where there are too many.
  ///
  /// Where all places are taken, one that went away some seconds ago leaves its own.
  func camera(session: String, name: String) -> RemoteCamera? {
    let now = ContinuousClock.now
    let (camera, isNew, left) = state.withLock {
      state -> (RemoteCamera?, Bool, RemoteCamera?) in
      guard !state.isStopped else { return (nil, false, nil) }
      if let camera = state.cameras[session], !camera.isOver { return (camera, false, nil) }
      var left: RemoteCamera?
      if state.cameras.count >= settings.remoteCameraLimit {
        left = longestAway(of: state.cameras.values, at: now)
        guard let left else { return (nil, false, nil) }
        state.cameras[left.session] = nil
      }
      let camera = RemoteCamera(
        session: session, name: name, feed: hub.begin(name), keepsFrames: keepsFrames)
      state.cameras[session] = camera
      return (camera, true, left)
    }
    left?.end(reason: "the camera went away")
    if let camera, isNew { onCamera(camera) }
    return camera
  }

  /// The camera that has been away the longest, and for so long that its place is free.
  private func longestAway(
    of cameras: some Sequence<RemoteCamera>, at now: ContinuousClock.Instant
  ) -> RemoteCamera? {
    let away = cameras.compactMap { camera in camera.awaySince.map { (camera, since: $0) } }
    guard let first = away.min(by: { $0.since < $1.since }),
      now - first.since >= .seconds(settings.placeSeconds)
    else { return nil }
    return first.0
  }

  /// A session is over for good.
  func end(_ camera: RemoteCamera, reason: String) {
    state.withLock { state in
      if state.cameras[camera.session] === camera { state.cameras[camera.session] = nil }
    }
    camera.end(reason: reason)
  }

  /// A camera went away without a word; it may come back for a while.
  func wait(for camera: RemoteCamera, connectionCount: Int) {
    let seconds = settings.resumeSeconds
    Task { [weak self] in
      try? await Task.sleep(for: .seconds(seconds))
      // A camera that came back and went away again has another wait of its own.
      guard camera.isAway(sinceConnection: connectionCount) else { return }
      self?.end(camera, reason: "the camera went away")
    }
  }
}
