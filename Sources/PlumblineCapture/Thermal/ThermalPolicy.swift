internal import PlumblineModel

/// The rate of depth by thermal state: lower first, then stop.
///
/// - Source: Apple, *AVCaptureDevice.SystemPressureState*: at serious, lower the frame rate; at
///   critical, quality suffers; at shutdown the system stops the session. Of the factors, fewer depth
///   frames cool `depthModuleTemperature`. The divisors and times are this project's choice.
public struct ThermalPolicy: Hashable, Sendable {
  /// The rate without any warmth, in frames per second.
  public var fullFramesPerSecond: Double
  /// The divisor of the rate while the state is serious.
  public var seriousDivisor: Int
  /// What it is divided by while it is serious because of the depth module.
  public var warmModuleDivisor: Int
  /// How long the device must stay cooler before the rate rises again, in seconds.
  ///
  /// Without it a device at the edge between two states would switch again and again.
  public var coolingSeconds: Double
  /// The lowest rate that the depth format knows, in frames per second; 0 for no limit.
  ///
  /// - Source: Apple, *activeDepthDataMinFrameDuration*: a value outside of the format's range is
  ///   an exception.
  public var leastFramesPerSecond: Double

  /// Creates a policy; halves and quarters keep depth at a whole fraction of the video rate.
  ///
  /// - Precondition: The rate is above 0, divisors are at least 1, the time is not negative.
  public init(
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
  public func framesPerSecond(at reading: ThermalReading) -> Double {
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
