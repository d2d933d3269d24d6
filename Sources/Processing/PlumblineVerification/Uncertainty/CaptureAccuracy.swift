public import PlumblineModel

/// How accurate a measurable capture is: what tolerances are compared with.
public struct CaptureAccuracy: Sendable, Hashable {
  /// The ± of a pixel's depth; `nil` where the noise of the sensor is not known, so that only a lower
  /// bound is.
  public var depth: SigmaCurve?
  /// The median depth in meters.
  public var medianMeters: Double
  /// The ± of lengths across the image in percent; `nil` when unknown.
  public var lengthPercent: Double?

  /// Creates the accuracy from its parts.
  public init(depth: SigmaCurve?, medianMeters: Double, lengthPercent: Double?) {
    self.depth = depth
    self.medianMeters = medianMeters
    self.lengthPercent = lengthPercent
  }

  /// One standard deviation of a quantity at a distance, in the unit of a limit; `nil` when unknown.
  ///
  /// A length is as long as the distance: then its ± in percent is that of any length.
  func plusMinus(
    of quantity: MeasuredQuantity, atMeters meters: Double, in limit: Tolerance.Limit
  ) -> Double? {
    let share: Double? =
      switch quantity {
      case .depth: depth.map { $0.sigmaMeters(atDepth: meters) / meters }
      case .length: lengthPercent.map { $0 / 100 }
      }
    return switch limit {
    case .percent: share.map { $0 * 100 }
    case .meters: share.map { $0 * meters }
    }
  }
}

extension CaptureAssessment {
  /// How accurate the capture is; `nil` for one that cannot be measured in meters.
  public var accuracy: CaptureAccuracy? {
    guard verdict.isMeasurable, let uncertainty, let median = statistics?.medianMeters else {
      return nil
    }
    return CaptureAccuracy(
      depth: uncertainty.sensor == nil ? nil : uncertainty.total, medianMeters: median,
      lengthPercent: uncertainty.lengthPercent)
  }
}
