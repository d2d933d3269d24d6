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

/// A thermal state with what it comes from.
public struct ThermalReading: Hashable, Sendable {
  /// What contributes to pressure; `AVCaptureDevice.SystemPressureState.Factors`.
  public enum Factor: String, Sendable, CaseIterable {
    /// The whole device is warm.
    case systemTemperature
    /// The battery cannot give peak power.
    case peakPower
    /// The module that measures depth is warm; TrueDepth only. Its quality suffers, and fewer frames
    /// of depth cool it.
    case depthModuleTemperature
    /// The camera module is warm.
    case cameraTemperature
  }

  /// The state.
  public var state: ThermalState
  /// What contributes; empty where only `ProcessInfo` speaks.
  public var factors: Set<Factor>

  /// Creates a reading.
  public init(_ state: ThermalState, factors: Set<Factor> = []) {
    self.state = state
    self.factors = factors
  }
}
