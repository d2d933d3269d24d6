public import PlumblineCapture
public import PlumblineModel

/// Where a live camera's frames go to be watched, such as a server; called from any thread, it never
/// makes the camera wait.
public protocol LiveSink: Sendable {
  /// What was found out about the frames from the next one on: a text message of type `scene`, UTF-8.
  func show(scene: [UInt8])
  /// A frame.
  ///
  /// - Parameters:
  ///   - frame: The whole message; `Documentation/formats/stream.md`.
  ///   - sequence: Its `sequence`.
  ///   - takenAt: When the camera handed it over.
  func show(frame: [UInt8], sequence: Int, takenAt: ContinuousClock.Instant)
  /// Sets the thermal state of the camera.
  func set(thermal: ThermalState)
  /// Frames that were lost on the way here.
  func add(_ frames: DroppedFrame)
}
