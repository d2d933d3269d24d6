public import PlumblineCapture
public import PlumblineModel

/// The screen with live depth: camera, colors, touch, points, and what went wrong.
public struct StreamerScreen: Sendable {
  /// All that, when it changes, makes the camera start anew.
  public struct Request: Hashable, Sendable {
    /// The camera.
    public let camera: CameraSelection
    /// Whether the system smooths depth and fills holes.
    public let isFiltered: Bool
    /// Whether frames are wanted at all.
    public let isWanted: Bool
    private let attempt: Int

    /// Creates a request.
    init(camera: CameraSelection, isFiltered: Bool, isWanted: Bool, attempt: Int) {
      self.camera = camera
      self.isFiltered = isFiltered
      self.isWanted = isWanted
      self.attempt = attempt
    }
  }

  /// The camera; another one brings its own distances, and its points their own view.
  public var camera: CameraSelection {
    didSet {
      guard camera != oldValue else { return }
      display.changeCamera(to: camera)
      gestures = OrbitGestures()
      (reader.place, touched) = (nil, nil)
    }
  }
  /// Whether the system smooths depth and fills holes.
  public var isFiltered = false
  /// Whether the app is in front.
  public var isActive = true {
    didSet { if isActive && !oldValue { run.becomeActive() } }
  }
  /// View, colors and distances.
  public var display: DepthDisplay
  /// The camera that looks at the points, moved by fingers.
  public var gestures = OrbitGestures()
  /// The state of the depth camera.
  public private(set) var run = CameraRun()
  /// The depth at the touched place in the latest frame; `nil` for none.
  public private(set) var touched: TouchedDepth?
  /// What the colors mean in the latest frame; `nil` before one with depth.
  public private(set) var legend: String?
  private var reader = TouchedDepthReader()

  /// Starts with a camera.
  public init(camera: CameraSelection = .trueDepth) {
    self.camera = camera
    display = DepthDisplay(for: camera)
  }

  /// What the depth camera is asked for now.
  public var request: Request {
    Request(camera: camera, isFiltered: isFiltered, isWanted: isActive, attempt: run.attempt)
  }

  /// The camera was asked to start.
  public mutating func start() {
    run.start()
    (touched, legend) = (nil, nil)
  }

  /// An event of the camera arrived.
  ///
  /// - Parameter event: The event.
  /// - Returns: The frame to draw; `nil` for other events. O(1).
  public mutating func take(_ event: DepthCameraEvent) -> Capture? {
    run.take(event)
    guard case .capture(let capture) = event else { return nil }
    return capture
  }

  /// Draws a frame as it is chosen now, and reads it at the touched place; not on the main thread.
  ///
  /// - Complexity: O(*n*), and an analysis where the camera's kind changes while a place is touched.
  public func drawing(of capture: Capture) -> FrameDrawing {
    FrameDrawing(capture, display: display, reader: reader, isMirror: camera.isAtFront)
  }

  /// A drawn frame is shown.
  public mutating func take(_ drawing: FrameDrawing) {
    legend = drawing.legend
    // Meanwhile a person may have touched elsewhere.
    let place = reader.place
    touched = drawing.reader.place == place ? drawing.touched : nil
    reader = drawing.reader
    reader.place = place
    if let depth = drawing.points?.medianDepth { gestures.follow(targetDistance: depth) }
  }

  /// The camera ended.
  public mutating func end(_ error: DepthCameraError? = nil) { run.end(error) }

  /// The screen was left.
  public mutating func stop() { run.stop() }

  /// A person requests another start.
  public mutating func retry() { run.retry() }

  /// A person touched the image; outside of it the reading ends.
  public mutating func touch(_ place: TouchedPlace?) {
    reader.place = place
    touched = nil
  }

  /// The place that is read; `nil` for none.
  public var place: TouchedPlace? { reader.place }

  /// What is said where depth is read.
  public var touchText: String {
    if let touched { return touched.text }
    return place == nil ? "Touch the image to read its depth." : "waiting for a frame"
  }
}
