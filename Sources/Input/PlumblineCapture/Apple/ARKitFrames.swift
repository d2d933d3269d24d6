#if os(iOS)
  internal import ARKit
  internal import AVFoundation
  internal import Foundation
  internal import PlumblineModel

  /// Converts ARKit's frames to captures, only on the queue of their delegate.
  final class ARKitFrames: NSObject, ARSessionDelegate {
    private let camera: ARKitDepthCamera
    private let held: HeldOrientation
    private let buffer: DepthCameraEventBuffer
    private let tracking: SessionTracking
    private let deadline = FrameDeadline()
    private let files: ColorFiles
    private var governor: ThermalGovernor
    private var thinning: FrameThinning
    private var lastSeconds: Double?

    init(
      _ camera: ARKitDepthCamera, framesPerSecond: Double, _ held: HeldOrientation,
      _ buffer: DepthCameraEventBuffer
    ) {
      self.camera = camera
      self.held = held
      self.buffer = buffer
      // ARKit restarts its session by itself.
      tracking = SessionTracking(into: buffer) {}
      files = ColorFiles(camera.color)
      let rate = max(framesPerSecond, 1)
      thinning = FrameThinning(fullFramesPerSecond: rate)
      governor = ThermalGovernor(ThermalPolicy(fullFramesPerSecond: rate))
    }

    func session(_ session: ARSession, didFailWithError error: any Error) {
      if let code = (error as? ARError)?.code, code == .cameraUnauthorized {
        return buffer.finish(throwing: .notAuthorized)
      }
      tracking.take(.runtimeError(code: nil, text: error.localizedDescription))
    }

    /// ARKit resumes by itself afterwards, in the same world if it recognizes it.
    func sessionWasInterrupted(_ session: ARSession) {
      buffer.offer(
        .dropped(DroppedFrame(timestampSeconds: lastSeconds, reason: .discontinuity)))
      tracking.take(.interrupted(reason: nil))
    }

    func sessionInterruptionEnded(_ session: ARSession) { tracking.take(.interruptionEnded) }

    /// Copies the necessary data and keeps no frame, since ARKit has only a few of them.
    func session(_ session: ARSession, didUpdate frame: ARFrame) {
      lastSeconds = frame.timestamp
      if let loss = deadline.loss(
        of: frame.timestamp, at: ProcessInfo.processInfo.systemUptime)
      {
        buffer.offer(.dropped(loss))
        return
      }
      adjustRate(at: frame.timestamp)
      guard thinning.passes(at: frame.timestamp, framesPerSecond: governor.framesPerSecond) else {
        return
      }
      switch camera.tracking {
      case .world(let isSmoothed):
        guard let data = isSmoothed ? frame.smoothedSceneDepth : frame.sceneDepth else {
          return drop(frame)
        }
        deliver(Capture(frame, data, isSmoothed: isSmoothed, held: held.current), frame)
      case .face:
        // Depth has half the rate of color; a frame without depth is not a loss.
        guard let data = frame.capturedDepthData else { return }
        deliver(Capture(frame, data, held: held.current), frame)
      }
    }

    private func deliver(_ capture: Capture, _ frame: ARFrame) {
      var capture = capture
      files.setColor(frame.capturedImage, as: camera.color, of: &capture)
      buffer.offer(.capture(capture))
    }

    private func drop(_ frame: ARFrame) {
      buffer.offer(
        .dropped(
          DroppedFrame(timestampSeconds: frame.timestamp, reason: .noDepth, stream: .depth)))
    }

    /// Passes fewer frames of a warm device, and none of a hot one, until it has cooled: ARKit's own
    /// rate cannot be lowered.
    private func adjustRate(at seconds: Double) {
      let reading = camera.tracking.thermalReading
      if reading != governor.reading { buffer.offer(.thermal(reading)) }
      if let change = governor.take(reading, at: seconds) { buffer.offer(.depthRate(change)) }
    }
  }

  extension ARKitDepthCamera.Tracking {
    /// The state of ARKit's camera if ARKit gives access to it, else that of the device.
    fileprivate var thermalReading: ThermalReading {
      let device =
        switch self {
        case .world: ARWorldTrackingConfiguration.configurableCaptureDeviceForPrimaryCamera
        case .face: ARFaceTrackingConfiguration.configurableCaptureDeviceForPrimaryCamera
        }
      return device.map { ThermalReading($0.systemPressureState) }
        ?? ThermalReading(ProcessInfo.processInfo.thermalState)
    }
  }
#endif
