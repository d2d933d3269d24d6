#if canImport(AVFoundation) && canImport(ARKit)
  internal import ARKit
  internal import AVFoundation
  internal import Foundation
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

    /// Creates a camera for a kind of tracking; ``events()`` starts it.
    public init(_ tracking: Tracking) { self.tracking = tracking }

    /// Starts the session.
    public func events() -> DepthCameraEvents {
      let tracking = tracking
      return DepthCameraEvents { buffer in
        let stream = ARKitStream(tracking, buffer)
        Task { await stream.start() }
        return { Task { await stream.stop() } }
      }
    }
  }

  /// A running session, used only inside this actor.
  private actor ARKitStream {
    private let tracking: ARKitDepthCamera.Tracking
    private let buffer: DepthCameraEventBuffer
    private let session = ARSession()
    private let frames: ARKitFrames
    private let held = HeldOrientation()
    private var motion: DeviceMotion?
    private var isStopped = false

    init(_ tracking: ARKitDepthCamera.Tracking, _ buffer: DepthCameraEventBuffer) {
      self.tracking = tracking
      self.buffer = buffer
      frames = ARKitFrames(tracking, held, buffer)
    }

    func start() {
      // Start and stop run in separate tasks, so the stop may come before the start.
      guard !isStopped else { return }
      let configuration: ARConfiguration
      switch tracking {
      case .world(let isSmoothed):
        let semantics: ARConfiguration.FrameSemantics =
          isSmoothed ? .smoothedSceneDepth : .sceneDepth
        guard ARWorldTrackingConfiguration.supportsFrameSemantics(semantics) else {
          return buffer.finish(throwing: .noDevice(DepthDevice.lidar.rawValue))
        }
        configuration = ARWorldTrackingConfiguration()
        configuration.frameSemantics = semantics
      case .face:
        guard ARFaceTrackingConfiguration.isSupported else {
          return buffer.finish(throwing: .noDevice(DepthDevice.trueDepth.rawValue))
        }
        configuration = ARFaceTrackingConfiguration()
      }
      session.delegate = frames
      session.delegateQueue = DispatchQueue(label: "plumbline.arkit")
      session.run(configuration, options: .resetTracking)
      motion = DeviceMotion(into: buffer, held: held)
    }

    func stop() {
      isStopped = true
      session.delegate = nil
      session.pause()
      motion = nil
    }
  }

  /// Converts ARKit's frames to captures, only on the queue of their delegate.
  private final class ARKitFrames: NSObject, ARSessionDelegate {
    private let tracking: ARKitDepthCamera.Tracking
    private let held: HeldOrientation
    private let buffer: DepthCameraEventBuffer
    private let deadline = FrameDeadline()
    private var reading = ThermalReading(.nominal)
    private var lastSeconds: Double?

    init(
      _ tracking: ARKitDepthCamera.Tracking, _ held: HeldOrientation,
      _ buffer: DepthCameraEventBuffer
    ) {
      self.tracking = tracking
      self.held = held
      self.buffer = buffer
    }

    func session(_ session: ARSession, didFailWithError error: any Error) {
      if let code = (error as? ARError)?.code, code == .cameraUnauthorized {
        return buffer.finish(throwing: .notAuthorized)
      }
      buffer.finish(throwing: .failed(error.localizedDescription))
    }

    /// ARKit resumes by itself afterwards, in the same world if it recognizes it.
    func sessionWasInterrupted(_ session: ARSession) {
      buffer.offer(
        .dropped(DroppedFrame(timestampSeconds: lastSeconds, reason: .discontinuity)))
    }

    /// Copies the necessary data and keeps no frame, since ARKit has only a few of them.
    func session(_ session: ARSession, didUpdate frame: ARFrame) {
      lastSeconds = frame.timestamp
      if let loss = deadline.loss(
        of: frame.timestamp, at: ProcessInfo.processInfo.systemUptime)
      {
        buffer.offer(.dropped(loss))
        return
      }
      let reading = ThermalReading(ProcessInfo.processInfo.thermalState)
      if reading != self.reading {
        self.reading = reading
        buffer.offer(.thermal(reading))
      }
      switch tracking {
      case .world(let isSmoothed):
        guard let data = isSmoothed ? frame.smoothedSceneDepth : frame.sceneDepth else {
          return drop(frame)
        }
        buffer.offer(
          .capture(Capture(frame, data, isSmoothed: isSmoothed, held: held.current)))
      case .face:
        // Depth has half the rate of color; a frame without depth is not a loss.
        guard let data = frame.capturedDepthData else { return }
        buffer.offer(.capture(Capture(frame, data, held: held.current)))
      }
    }

    private func drop(_ frame: ARFrame) {
      buffer.offer(.dropped(DroppedFrame(timestampSeconds: frame.timestamp, reason: .noDepth)))
    }
  }
#endif
