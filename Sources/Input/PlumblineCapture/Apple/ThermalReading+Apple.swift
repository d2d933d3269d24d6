#if os(iOS)
  internal import AVFoundation
  internal import Foundation
  internal import PlumblineModel

  extension ThermalReading {
    /// The thermal reading of a camera.
    init(_ pressure: AVCaptureDevice.SystemPressureState) {
      let state: ThermalState =
        switch pressure.level {
        case .fair: .fair
        case .serious: .serious
        case .critical: .critical
        case .shutdown: .shutdown
        default: .nominal
        }
      var factors: Set<Factor> = []
      if pressure.factors.contains(.systemTemperature) { factors.insert(.systemTemperature) }
      if pressure.factors.contains(.peakPower) { factors.insert(.peakPower) }
      if pressure.factors.contains(.depthModuleTemperature) {
        factors.insert(.depthModuleTemperature)
      }
      if pressure.factors.contains(.cameraTemperature) { factors.insert(.cameraTemperature) }
      self.init(state, factors: factors)
    }

    /// The thermal reading of the device.
    init(_ state: ProcessInfo.ThermalState) {
      let grade: ThermalState =
        switch state {
        case .nominal: .nominal
        case .fair: .fair
        case .serious: .serious
        case .critical: .critical
        @unknown default: .critical
        }
      self.init(grade)
    }
  }
#endif
