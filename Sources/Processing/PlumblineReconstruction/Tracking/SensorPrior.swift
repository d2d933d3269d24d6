internal import PlumblineModel
internal import PlumblineNumerics

/// The expected rotation of a frame without a recorded pose, by the device's motion sensors.
///
/// How the sensors are turned against the camera follows from the frames that were tracked.
package struct SensorPrior: Sendable {
  private let sensed: SensedRotations
  private let maximumSeconds: Double
  private var fit = SensorFromCameraFit()
  /// How many frames were registered from a rotation of the sensors, and tracked.
  package private(set) var frameCount = 0

  /// Creates it without a frame.
  ///
  /// - Parameters:
  ///   - sensed: What the sensors say, on the clock of the frames; may be empty.
  ///   - maximumSeconds: Over a longer time between two frames nothing is said.
  init(_ sensed: SensedRotations, maximumSeconds: Double) {
    self.sensed = sensed
    self.maximumSeconds = maximumSeconds
  }

  /// σ of a rotation between two frames about each axis, in radians; `nil` where the sensors are not used.
  package var sigmaRadians: Double? { fit.result?.sigmaRadians }

  /// The rotation of the camera between two frames with the covariance of its vector; `nil` where the sensors do not
  /// tell, or a pose was recorded.
  func turn(
    from previous: TrackedFrame, to tracked: TrackedFrame
  ) -> (rotation: Rotation, covariance: SymmetricMatrix)? {
    guard let sensor = sensorTurn(from: previous, to: tracked) else { return nil }
    return fit.result?.camera(of: sensor)
  }

  /// Learns how the sensors are turned against the camera, from a tracked frame and the fused one before it.
  mutating func compare(_ tracked: TrackedFrame, with previous: TrackedFrame?) {
    guard tracked.state == .tracked, let previous, let before = previous.estimate?.aFromB,
      let now = tracked.estimate?.aFromB, let sensor = sensorTurn(from: previous, to: tracked)
    else { return }
    if fit.result != nil { frameCount += 1 }
    // Such a rotation may be that of the sensors themselves.
    guard tracked.quality?.sensedDirections == 0 else { return }
    fit.add(sensor: sensor, camera: (before.inverse * now).rotation)
  }

  private func sensorTurn(from previous: TrackedFrame, to tracked: TrackedFrame) -> Rotation? {
    guard !sensed.isEmpty, tracked.recordedWorldFromCamera == nil,
      let start = previous.timestampSeconds, let end = tracked.timestampSeconds,
      end - start <= maximumSeconds
    else { return nil }
    return sensed.rotation(from: start, to: end)
  }
}
