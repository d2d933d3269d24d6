import PlumblineNumerics

/// The middle of samples and how far they spread, unmoved by a few wild ones.
public struct SampleSpread: Hashable, Sendable {
  /// The median, in the unit of the samples.
  public var median: Double
  /// The median absolute deviation from the median, in the unit of the samples.
  public var medianAbsoluteDeviation: Double
  /// The number of samples.
  public var count: Int

  /// Summarizes samples; `nil` for none, O(*n* log *n*).
  ///
  /// - Precondition: No sample is NaN.
  public init?(_ samples: [Double]) {
    guard let median = samples.median,
      let deviation = samples.map({ abs($0 - median) }).median
    else { return nil }
    self.median = median
    self.medianAbsoluteDeviation = deviation
    self.count = samples.count
  }

  /// One standard deviation of a single sample, were the samples normal.
  public var sigma: Double { Self.sigmaOverDeviation * medianAbsoluteDeviation }

  /// The standard deviation of a normal distribution in median absolute deviations.
  ///
  /// - Source: P. J. Rousseeuw, C. Croux, Alternatives to the Median Absolute Deviation, 1993:
  ///   1.4826 = 1/Φ⁻¹(3/4).
  static let sigmaOverDeviation = 1.4826
}
