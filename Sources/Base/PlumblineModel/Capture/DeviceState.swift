/// How warm a device is, as `ProcessInfo.ThermalState` and `AVCaptureDevice.SystemPressureState`
/// grade it.
public enum ThermalState: String, Sendable, CaseIterable, Comparable {
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

  private var grade: Int { Self.allCases.firstIndex(of: self) ?? 0 }

  /// Whether a state is cooler than another one.
  public static func < (a: ThermalState, b: ThermalState) -> Bool { a.grade < b.grade }
}

/// One reading of a device's motion sensors.
///
/// Frame: the device's sensor axes, as the producer defines them; Apple: x to the right of the
/// screen in portrait, y to its top, z out of the screen. Time: the clock of the recording's frames.
public struct MotionSample: Hashable, Sendable {
  /// Standard gravity in m/s², exact by definition; Apple counts accelerations in it.
  ///
  /// - Source: 3rd CGPM, 1901; BIPM, *The International System of Units*.
  public static let standardGravity = 9.80665

  /// The recording's clock, in seconds.
  public var timestampSeconds: Double
  /// The turn rate about the sensor axes in radians per second; `nil` when not measured.
  public var rotationRate: SIMD3<Double>?
  /// What an accelerometer feels, gravity included, in m/s²; `nil` when not measured.
  ///
  /// The sign is that of ROS REP 145: at rest with z up it reads +9.81 along z, the opposite of
  /// Apple's `CMAcceleration`, which is also counted in g.
  public var specificForce: SIMD3<Double>?
  /// How the sensor axes stand in the recording's world; `nil` when not estimated.
  public var worldFromSensor: Rotation?

  /// Creates a sample of which only the time is known.
  package init(timestampSeconds: Double) { self.timestampSeconds = timestampSeconds }
}
