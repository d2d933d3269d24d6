#if os(iOS)
  internal import ARKit
  internal import Dispatch
  internal import PlumblineModel

  /// A depth camera of an iPhone or iPad that uses ARKit and delivers depth with poses.
  ///
  /// It was type-checked against declarations of Apple's frameworks, but never run on a device.
  public struct ARKitDepthCamera: DepthCameraSource {
    /// What ARKit tracks, and with which camera.
    public enum Tracking: Sendable, Hashable {
      /// The world, with LiDAR: `sceneDepth`, or `smoothedSceneDepth`, which averages over frames.
      case world(isSmoothed: Bool)
      /// A face, with the TrueDepth camera: `capturedDepthData`.
      case face
    }

    /// The object of tracking: the world or a face.
    public var tracking: Tracking
    /// How color is delivered.
    public var color: LiveColor

    /// Creates a camera for a kind of tracking; ``events()`` starts it.
    public init(_ tracking: Tracking, color: LiveColor = .pixels) {
      self.tracking = tracking
      self.color = color
    }

    /// Starts the session.
    public func events() -> DepthCameraEvents {
      let camera = self
      return DepthCameraEvents { buffer in
        let stream = ARKitStream(camera, buffer)
        Task { await stream.start() }
        return { Task { await stream.stop() } }
      }
    }
  }

  /// A running session, used only inside this actor, on a queue of its own.
  private actor ARKitStream {
    private let executorQueue = DispatchSerialQueue(label: "plumbline.arkit.session")
    nonisolated var unownedExecutor: UnownedSerialExecutor {
      executorQueue.asUnownedSerialExecutor()
    }

    private let camera: ARKitDepthCamera
    private let buffer: DepthCameraEventBuffer
    private let session = ARSession()
    private let held = HeldOrientation()
    private var frames: ARKitFrames?
    private var motion: DeviceMotion?
    private var isStopped = false

    init(_ camera: ARKitDepthCamera, _ buffer: DepthCameraEventBuffer) {
      self.camera = camera
      self.buffer = buffer
    }

    func start() {
      // Start and stop run in separate tasks, so the stop may come before the start.
      guard !isStopped else { return }
      guard let configuration = camera.tracking.configuration else {
        return buffer.finish(throwing: .noDevice(camera.tracking.device.rawValue))
      }
      let frames = ARKitFrames(
        camera, framesPerSecond: Double(configuration.videoFormat.framesPerSecond), held, buffer)
      self.frames = frames
      session.delegate = frames
      session.delegateQueue = DispatchQueue(label: "plumbline.arkit")
      session.run(configuration, options: .resetTracking)
      motion = DeviceMotion(into: buffer, held: held)
    }

    func stop() {
      isStopped = true
      session.delegate = nil
      session.pause()
      (frames, motion) = (nil, nil)
    }
  }

  extension ARKitDepthCamera.Tracking {
    /// The camera that measures depth.
    fileprivate var device: DepthDevice {
      switch self {
      case .world: .lidar
      case .face: .trueDepth
      }
    }

    /// The configuration; `nil` if the device cannot do it.
    fileprivate var configuration: ARConfiguration? {
      switch self {
      case .world(let isSmoothed):
        let semantics: ARConfiguration.FrameSemantics =
          isSmoothed ? .smoothedSceneDepth : .sceneDepth
        guard ARWorldTrackingConfiguration.supportsFrameSemantics(semantics) else { return nil }
        let configuration = ARWorldTrackingConfiguration()
        configuration.frameSemantics = semantics
        return configuration
      case .face:
        return ARFaceTrackingConfiguration.isSupported ? ARFaceTrackingConfiguration() : nil
      }
    }
  }
#endif
