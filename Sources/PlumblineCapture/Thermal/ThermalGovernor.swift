internal import PlumblineModel

/// Applies a ``ThermalPolicy`` over time: the rate is the lowest that was allowed within the policy's
/// cooling time, so warmer counts at once and cooler only when it lasts.
public struct ThermalGovernor: Sendable {
  /// The policy.
  public let policy: ThermalPolicy
  /// The rate that holds now, in frames per second; 0 while stopped.
  public private(set) var framesPerSecond: Double
  /// The last reading.
  public private(set) var reading = ThermalReading(.nominal)
  /// When each rate was last all that was allowed; a policy knows four at most.
  private var lastAllowed: [Double: Double] = [:]

  /// Starts at the full rate.
  public init(_ policy: ThermalPolicy) {
    self.policy = policy
    framesPerSecond = policy.fullFramesPerSecond
  }

  /// Takes what the device says, or asks again what time has changed.
  ///
  /// - Parameters:
  ///   - reading: The state; the last one again where nothing is new.
  ///   - seconds: A clock that never goes backwards.
  /// - Returns: What to change and to say; `nil` for nothing.
  public mutating func take(_ reading: ThermalReading, at seconds: Double) -> DepthRateChange? {
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
