public import PlumblineModel

/// What a live camera tells its consumer.
public enum DepthCameraEvent: Sendable {
  /// A synchronized frame: depth, color, calibration, pose where tracked.
  case capture(Capture)
  /// Motion samples since the last event.
  case motion([MotionSample])
  /// A frame that was not delivered.
  case dropped(DroppedFrame)
  /// The device became warmer or cooler.
  case thermal(ThermalState)
}

/// A frame that a camera or a buffer did not deliver.
public struct DroppedFrame: Hashable, Sendable {
  /// Why a frame is missing; the first three are `AVCaptureOutput.DataDroppedReason`.
  public enum Reason: String, Sendable, CaseIterable {
    /// It came too late to be processed.
    case lateData
    /// No buffer was free.
    case outOfBuffers
    /// The stream was interrupted.
    case discontinuity
    /// The consumer was slower than the camera.
    case slowConsumer
    /// The camera gave no depth for this color frame.
    case noDepth
  }

  /// The camera's clock at the frame, in seconds; `nil` when not known.
  public var timestampSeconds: Double?
  /// Why it is missing.
  public var reason: Reason

  /// Creates a dropped frame.
  public init(timestampSeconds: Double?, reason: Reason) {
    self.timestampSeconds = timestampSeconds
    self.reason = reason
  }
}

/// How warm a device is, as `ProcessInfo.ThermalState` and `AVCaptureDevice.SystemPressureState`
/// grade it.
public enum ThermalState: String, Sendable, CaseIterable {
  /// Nothing limits the capture.
  case nominal
  /// Slightly raised.
  case fair
  /// Performance is reduced; the depth rate should be.
  case serious
  /// The capture should stop.
  case critical
  /// The system has stopped the capture.
  case shutdown
}
