/// The standard deviation of a depth as a function of depth.
///
/// `σ² = constantMeters² + (perMeter·z)² + (perMeterSquared·z²)²`: an error of the depth itself, of
/// its scale, and of the disparity. Unit: metres, or the relative unit of a relative map.
public struct SigmaCurve: Hashable, Sendable {
  /// The part that does not depend on depth, in metres.
  public var constantMeters: Double
  /// The part that grows with depth, without unit.
  public var perMeter: Double
  /// The part that grows with depth squared, in 1/m: the standard deviation of the disparity.
  public var perMeterSquared: Double

  /// Creates a curve from its parts.
  public init(constantMeters: Double, perMeter: Double, perMeterSquared: Double) {
    self.constantMeters = constantMeters
    self.perMeter = perMeter
    self.perMeterSquared = perMeterSquared
  }

  /// The standard deviation at a depth, in metres; NaN for a missing depth.
  public func sigmaMeters(atDepth meters: Double) -> Double {
    let linear = perMeter * meters
    let quadratic = perMeterSquared * meters * meters
    return (constantMeters * constantMeters + linear * linear + quadratic * quadratic)
      .squareRoot()
  }
}
