public import PlumblineCapture

/// The screen with synchronized streams: camera and smoothing, figures, recording, a server.
public struct StreamsScreen: Sendable {
  /// The camera; it cannot be changed while a file is open.
  public var camera: CameraSelection {
    get { chosenCamera }
    set { if !recording.isOpen { chosenCamera = newValue } }
  }
  /// Whether the system smooths depth over time and fills holes; as ``camera``.
  public var isFiltered: Bool {
    get { wantsFilter && camera.hasFilterChoice }
    set { if !recording.isOpen { wantsFilter = newValue } }
  }
  /// Whether the app is in front.
  public var isActive = true {
    didSet { if isActive && !oldValue { run.becomeActive() } }
  }
  /// The computer that frames are sent to.
  public var server = ServerConnection()
  /// The recording.
  public var recording = RecordingState()
  /// Whether the camera runs.
  public private(set) var run = CameraRun()
  /// What the camera delivered.
  public private(set) var figures = StreamFigures()
  /// The free space on the device in bytes; `nil` where the system does not state it.
  public var freeBytes: Int64?
  private var chosenCamera: CameraSelection
  private var wantsFilter = false

  /// Starts with a camera.
  public init(camera: CameraSelection = .trueDepth) { chosenCamera = camera }

  /// What the camera is asked for now; another value makes it start anew.
  public var request: StreamerScreen.Request {
    StreamerScreen.Request(
      camera: camera, isFiltered: isFiltered, isWanted: isActive, attempt: run.attempt)
  }

  /// The camera was asked to start.
  public mutating func start() {
    run.start()
    figures = StreamFigures()
  }

  /// An event of the camera arrived.
  public mutating func take(_ event: DepthCameraEvent) {
    run.take(event)
    figures.take(event)
  }

  /// The camera ended.
  public mutating func end(_ error: DepthCameraError? = nil) { run.end(error) }

  /// The screen was left.
  public mutating func stop() { run.stop() }

  /// A person requests another start.
  public mutating func retry() { run.retry() }

  /// Whether a recording can begin.
  public var canRecord: Bool { run.phase == .running && !recording.isOpen }

  /// What the choice of smoothing means for measurements, in one sentence.
  public var smoothingText: String {
    guard camera.hasFilterChoice else { return "ARKit smooths face depth by itself." }
    return isFiltered
      ? "Holes are filled and moving edges smoothed by the system: not for measuring."
      : "Depth as measured, with holes where nothing was."
  }

  /// Whether the screen must stay on, since a locked device takes the camera away.
  public var keepsScreenOn: Bool { recording.isOpen || server.isWanted }

  /// Whether the screen may be left: an open recording needs its camera and its button.
  public var canLeave: Bool { !recording.isOpen }

  /// The free space, and how long it lasts for the running recording.
  public var diskText: String {
    CaptureStatus.diskText(freeBytes: freeBytes, bytesPerSecond: recording.bytesPerSecond)
  }
}
