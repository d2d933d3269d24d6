/// The thermal state of a device, graded as in `ProcessInfo.ThermalState` and
/// `AVCaptureDevice.SystemPressureState`.
public enum ThermalState: String, Sendable, CaseIterable, Comparable {
  /// Nothing limits the capture.
  case nominal
  /// Slightly raised.
  case fair
  /// Performance is reduced; the depth rate should be reduced too.
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
/// screen in portrait, y to its top, z out of the screen. Time: the clock of the recording's
/// frames.
public struct MotionSample: Hashable, Sendable {
  /// Standard gravity in m/s², exact by definition; Apple counts accelerations in it.
  ///
  /// - Source: 3rd CGPM, 1901; BIPM, *The International System of Units*.
  public static let standardGravity = 9.80665

  /// The recording's clock, in seconds.
  public var timestampSeconds: Double
  /// The rotation rate about the sensor axes in radians per second; `nil` when not measured.
  public var rotationRate: SIMD3<Double>?
  /// The specific force that an accelerometer measures, gravity included, in m/s²; `nil` when not
  /// measured.
  ///
  /// The sign is that of ROS REP 145: a resting sensor with z up measures +9.81 along z. Apple's
  /// `CMAcceleration` has the opposite sign and the unit g.
  public var specificForce: SIMD3<Double>?
  /// The orientation of the sensor axes in the recording's world; `nil` when not estimated.
  public var worldFromSensor: Rotation?

  /// Creates a sample of which only the time is known.
  package init(timestampSeconds: Double) { self.timestampSeconds = timestampSeconds }
}
