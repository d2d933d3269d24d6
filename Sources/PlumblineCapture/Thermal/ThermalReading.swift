public import PlumblineModel

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
