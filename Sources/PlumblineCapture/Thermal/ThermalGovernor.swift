/// Applies a ``ThermalPolicy`` over time: warmer counts at once, cooler only when it lasts.
public struct ThermalGovernor: Sendable {
  /// The policy.
  public let policy: ThermalPolicy
  /// The rate that holds now, in frames per second; 0 while stopped.
  public private(set) var framesPerSecond: Double
  /// The last reading.
  public private(set) var reading = ThermalReading(.nominal)
  /// Since when a higher rate would be allowed, and the lowest that was allowed since then.
  private var recovery: (since: Double, framesPerSecond: Double)?

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
    self.reading = reading
    let allowed = policy.framesPerSecond(at: reading)
    if allowed < framesPerSecond {
      recovery = nil
      return change(to: allowed)
    }
    guard allowed > framesPerSecond else {
      recovery = nil
      return nil
    }
    let lowest = min(allowed, recovery?.framesPerSecond ?? allowed)
    let since = recovery?.since ?? seconds
    guard seconds - since >= policy.coolingSeconds else {
      recovery = (since, lowest)
      return nil
    }
    recovery = lowest < allowed ? (seconds, allowed) : nil
    return change(to: lowest)
  }

  private mutating func change(to rate: Double) -> DepthRateChange {
    framesPerSecond = rate
    return DepthRateChange(
      framesPerSecond: rate, fullFramesPerSecond: policy.fullFramesPerSecond, reading: reading)
  }
}
