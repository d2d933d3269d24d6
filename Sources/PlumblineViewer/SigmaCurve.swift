/// The standard uncertainty of one depth sample as a function of its depth.
///
/// σ_Z² = constant² + (perMeter·Z)² + (perMeterSquared·Z²)²: independent parts that stay constant
/// (electronics), grow with the depth (scale), and with its square (triangulation and the
/// quantization of disparity).
public struct SigmaCurve: Sendable, Hashable {
  /// The part that does not depend on depth, in meters.
  public var constantMeters: Double
  /// The part proportional to depth, meters per meter.
  public var perMeter: Double
  /// The part proportional to the square of depth, meters per square meter.
  public var perMeterSquared: Double

  /// Creates a curve; a part that is not known is 0.
  public init(constantMeters: Double, perMeter: Double, perMeterSquared: Double) {
    self.constantMeters = constantMeters
    self.perMeter = perMeter
    self.perMeterSquared = perMeterSquared
  }

  /// The standard uncertainty in meters of a sample at a depth in meters; NaN for NaN.
  public func sigmaMeters(atMeters depth: Double) -> Double {
    let linear = perMeter * depth
    let quadratic = perMeterSquared * depth * depth
    return (constantMeters * constantMeters + linear * linear + quadratic * quadratic)
      .squareRoot()
  }
}
