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
