public import PlumblineModel

/// The rate of depth by thermal state: lower first, then stop.
///
/// - Source: Apple, *AVCaptureDevice.SystemPressureState*: at serious, lower the frame rate; at
///   critical, quality suffers; at shutdown the system stops the session. Of the factors, fewer depth
///   frames cool `depthModuleTemperature`. The divisors and times are this project's choice.
package struct ThermalPolicy: Hashable, Sendable {
  /// The rate without any warmth, in frames per second.
  package var fullFramesPerSecond: Double
  /// The divisor of the rate while the state is serious.
  package var seriousDivisor: Int
  /// What it is divided by while it is serious because of the depth module.
  package var warmModuleDivisor: Int
  /// How long the device must stay cooler before the rate rises again, in seconds.
  ///
  /// Without it a device at the edge between two states would switch again and again.
  package var coolingSeconds: Double
  /// The lowest rate that the depth format knows, in frames per second; 0 for no limit.
  ///
  /// - Source: Apple, *activeDepthDataMinFrameDuration*: a value outside of the format's range is
  ///   an exception.
  package var leastFramesPerSecond: Double

  /// Creates a policy; halves and quarters keep depth at a whole fraction of the video rate.
  ///
  /// - Precondition: The rate is above 0, divisors are at least 1, the time is not negative.
  package init(
    fullFramesPerSecond: Double, seriousDivisor: Int = 2, warmModuleDivisor: Int = 4,
    coolingSeconds: Double = 30, leastFramesPerSecond: Double = 0
  ) {
    precondition(
      fullFramesPerSecond > 0 && seriousDivisor >= 1 && warmModuleDivisor >= 1
        && coolingSeconds >= 0, "a thermal policy needs a rate, divisors and a time")
    self.fullFramesPerSecond = fullFramesPerSecond
    self.seriousDivisor = seriousDivisor
    self.warmModuleDivisor = warmModuleDivisor
    self.coolingSeconds = coolingSeconds
    self.leastFramesPerSecond = min(max(leastFramesPerSecond, 0), fullFramesPerSecond)
  }

  /// The rate that a reading allows, in frames per second; 0 where the camera must stop.
  package func framesPerSecond(at reading: ThermalReading) -> Double {
    let isModuleWarm = reading.factors.contains(.depthModuleTemperature)
    switch reading.state {
    case .nominal: return fullFramesPerSecond
    // A warm module measures worse long before the device as a whole gets serious.
    case .fair: return isModuleWarm ? lowered(by: seriousDivisor) : fullFramesPerSecond
    case .serious: return lowered(by: isModuleWarm ? warmModuleDivisor : seriousDivisor)
    case .critical, .shutdown: return 0
    }
  }

  private func lowered(by divisor: Int) -> Double {
    max(fullFramesPerSecond / Double(divisor), leastFramesPerSecond)
  }
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

/// Applies a ``ThermalPolicy`` over time: the rate is the lowest that was allowed within the policy's
/// cooling time, so warmer counts at once and cooler only when it lasts.
package struct ThermalGovernor: Sendable {
  /// The policy.
  package let policy: ThermalPolicy
  /// The rate that holds now, in frames per second; 0 while stopped.
  package private(set) var framesPerSecond: Double
  /// The last reading.
  package private(set) var reading = ThermalReading(.nominal)
  /// When each rate was last all that was allowed; a policy knows four at most.
  private var lastAllowed: [Double: Double] = [:]

  /// Starts at the full rate.
  package init(_ policy: ThermalPolicy) {
    self.policy = policy
    framesPerSecond = policy.fullFramesPerSecond
  }

  /// Takes what the device says, or asks again what time has changed.
  ///
  /// - Parameters:
  ///   - reading: The state; the last one again where nothing is new.
  ///   - seconds: A clock that never goes backwards.
  /// - Returns: What to change and to say; `nil` for nothing.
  package mutating func take(_ reading: ThermalReading, at seconds: Double) -> DepthRateChange? {
    // The last reading held until now.
    lastAllowed[policy.framesPerSecond(at: self.reading)] = seconds
    let allowed = policy.framesPerSecond(at: reading)
    lastAllowed[allowed] = seconds
    self.reading = reading
    let recent = lastAllowed.filter { seconds - $0.value < policy.coolingSeconds }
    let rate = min(recent.keys.min() ?? allowed, allowed)
    guard rate != framesPerSecond else { return nil }
    framesPerSecond = rate
    return DepthRateChange(
      framesPerSecond: rate, fullFramesPerSecond: policy.fullFramesPerSecond, reading: reading)
  }
}

/// A change of the rate of depth because of warmth, to be made and to be shown.
public struct DepthRateChange: Hashable, Sendable, CustomStringConvertible {
  /// The rate from now on, in frames per second; 0 means that the camera is to be stopped.
  public var framesPerSecond: Double
  /// The rate without any warmth.
  public var fullFramesPerSecond: Double
  /// The reading that caused the change.
  public var reading: ThermalReading

  /// Creates a change.
  package init(framesPerSecond: Double, fullFramesPerSecond: Double, reading: ThermalReading) {
    self.framesPerSecond = framesPerSecond
    self.fullFramesPerSecond = fullFramesPerSecond
    self.reading = reading
  }

  /// Whether the camera is to be stopped.
  package var isStop: Bool { framesPerSecond == 0 }

  /// One sentence for the user.
  public var description: String {
    let warmth =
      reading.factors.contains(.depthModuleTemperature)
      ? "the depth module is warm (\(reading.state.rawValue))"
      : "the device is \(reading.state.rawValue)"
    if isStop { return "depth is stopped: \(warmth)" }
    if framesPerSecond == fullFramesPerSecond {
      return "depth runs at \(rateText(framesPerSecond)) fps again: \(warmth)"
    }
    return
      "depth runs at \(rateText(framesPerSecond)) instead of \(rateText(fullFramesPerSecond)) fps: "
      + warmth
  }
}
