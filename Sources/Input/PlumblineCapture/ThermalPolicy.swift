public import PlumblineModel

/// The depth rate by thermal state: first a lower rate, then a stop.
///
/// - Source: Apple, *AVCaptureDevice.SystemPressureState*: at serious, lower the frame rate; at
///   critical, quality suffers; at shutdown the system stops the session. A lower depth rate
///   reduces the factor `depthModuleTemperature`. The divisors and times are this project's choice.
package struct ThermalPolicy: Hashable, Sendable {
  /// The rate at the nominal thermal state, in frames per second.
  package var fullFramesPerSecond: Double
  /// The divisor of the rate at the serious state.
  package var seriousDivisor: Int
  /// The divisor at the serious state if the depth module is warm.
  package var warmModuleDivisor: Int
  /// The time for which the device must stay cooler before the rate rises again, in seconds.
  ///
  /// Without it a device between two states would switch repeatedly.
  package var coolingSeconds: Double
  /// The minimum rate of the depth format in frames per second; 0 for no limit.
  ///
  /// - Source: Apple, *activeDepthDataMinFrameDuration*: a value outside the format's range raises
  ///   an exception.
  package var leastFramesPerSecond: Double

  /// Creates a policy; halves and quarters keep the depth rate an integer fraction of the video
  /// rate.
  ///
  /// - Precondition: The rate is above 0, divisors are at least 1, and the time is not negative.
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

  /// The allowed rate for a reading, in frames per second; 0 if the camera must stop.
  package func framesPerSecond(at reading: ThermalReading) -> Double {
    let isModuleWarm = reading.factors.contains(.depthModuleTemperature)
    switch reading.state {
    case .nominal: return fullFramesPerSecond
    // A warm depth module degrades measurements long before the whole device reaches serious.
    case .fair: return isModuleWarm ? lowered(by: seriousDivisor) : fullFramesPerSecond
    case .serious: return lowered(by: isModuleWarm ? warmModuleDivisor : seriousDivisor)
    case .critical, .shutdown: return 0
    }
  }

  private func lowered(by divisor: Int) -> Double {
    max(fullFramesPerSecond / Double(divisor), leastFramesPerSecond)
  }
}

/// A thermal state with its causes.
public struct ThermalReading: Hashable, Sendable {
  /// A cause of system pressure; `AVCaptureDevice.SystemPressureState.Factors`.
  public enum Factor: String, Sendable, CaseIterable {
    /// The whole device is warm.
    case systemTemperature
    /// The battery cannot deliver peak power.
    case peakPower
    /// The module that measures depth is warm; TrueDepth only. Its quality suffers, and a lower
    /// depth rate cools it.
    case depthModuleTemperature
    /// The camera module is warm.
    case cameraTemperature
  }

  /// The state.
  public var state: ThermalState
  /// The causes; empty if only `ProcessInfo` provides the state.
  public var factors: Set<Factor>

  /// Creates a reading.
  public init(_ state: ThermalState, factors: Set<Factor> = []) {
    self.state = state
    self.factors = factors
  }
}

/// Applies a ``ThermalPolicy`` over time.
///
/// The rate is the minimum that was allowed within the policy's cooling time, so a warmer state
/// applies at once and a cooler one only when it lasts.
package struct ThermalGovernor: Sendable {
  /// The policy.
  package let policy: ThermalPolicy
  /// The current rate in frames per second; 0 while stopped.
  package private(set) var framesPerSecond: Double
  /// The last reading.
  package private(set) var reading = ThermalReading(.nominal)
  /// The time at which each rate was last the allowed one; a policy has at most four rates.
  private var lastAllowed: [Double: Double] = [:]

  /// Starts at the full rate.
  package init(_ policy: ThermalPolicy) {
    self.policy = policy
    framesPerSecond = policy.fullFramesPerSecond
  }

  /// Updates the rate with a reading, or after some time with the same reading.
  ///
  /// - Parameters:
  ///   - reading: The current reading; the last one if there is no new one.
  ///   - seconds: The time on a monotonic clock.
  /// - Returns: The change to make and to display; `nil` for none.
  package mutating func take(_ reading: ThermalReading, at seconds: Double) -> DepthRateChange? {
    // The last reading was valid until now.
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

/// A change of the depth rate because of the thermal state, to be applied and displayed.
public struct DepthRateChange: Hashable, Sendable, CustomStringConvertible {
  /// The new rate in frames per second; 0 means that depth must stop.
  public var framesPerSecond: Double
  /// The rate at the nominal thermal state.
  public var fullFramesPerSecond: Double
  /// The reading that caused the change.
  public var reading: ThermalReading

  /// Creates a change.
  package init(framesPerSecond: Double, fullFramesPerSecond: Double, reading: ThermalReading) {
    self.framesPerSecond = framesPerSecond
    self.fullFramesPerSecond = fullFramesPerSecond
    self.reading = reading
  }

  /// Whether depth must stop.
  public var isStop: Bool { framesPerSecond == 0 }

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
