/// The uncertainty of depth at each distance, as one standard deviation.
///
/// σ_Z² = `constantMeters`² + (`perMeter`·Z)² + (`perMeterSquared`·Z²)²: three independent parts
/// that add as variances. The constant is a fixed offset, the linear part what a scale or a
/// calibration error costs, the quadratic part what an error of disparity costs, since
/// Z = f·b / d gives |dZ/dd| = Z² / (f·b) (Gallup et al., "Variable Baseline/Resolution Stereo",
/// CVPR 2008, eq. 2).
public struct SigmaCurve: Hashable, Sendable {
  /// The part that does not depend on the distance, in meters; at least 0.
  public var constantMeters: Double
  /// Meters of σ per meter of depth; no unit; at least 0.
  public var perMeter: Double
  /// Meters of σ per square meter of depth; 1/m; at least 0.
  public var perMeterSquared: Double

  /// Creates a curve from its three parts; a part of 0 does not take part.
  public init(constantMeters: Double = 0, perMeter: Double = 0, perMeterSquared: Double = 0) {
    self.constantMeters = constantMeters
    self.perMeter = perMeter
    self.perMeterSquared = perMeterSquared
  }

  /// One standard deviation in meters along the optical axis at a depth in meters.
  ///
  /// - Parameter depth: Meters along the optical axis; NaN gives NaN.
  /// - Returns: The root of the summed variances; never negative.
  @inlinable
  public func sigmaMeters(atDepth depth: Double) -> Double {
    let linear = perMeter * depth
    let quadratic = perMeterSquared * depth * depth
    return (constantMeters * constantMeters + linear * linear + quadratic * quadratic)
      .squareRoot()
  }

  /// The curve of two independent causes; variances of each part add, so that the result is exact.
  public func adding(_ other: SigmaCurve) -> SigmaCurve {
    SigmaCurve(
      constantMeters: root(constantMeters, other.constantMeters),
      perMeter: root(perMeter, other.perMeter),
      perMeterSquared: root(perMeterSquared, other.perMeterSquared))
  }

  private func root(_ a: Double, _ b: Double) -> Double { (a * a + b * b).squareRoot() }
}
