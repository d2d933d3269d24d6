import PlumblineModel

/// What is measured in a capture.
public enum MeasuredQuantity: String, Sendable, CaseIterable {
  /// Distances along the optical axis.
  case depth
  /// Lengths across the image.
  case length
}

/// What a measurable capture is not good for, or not known to be good for.
public struct MeasurementLimit: Sendable, Hashable {
  /// What is limited.
  public var quantity: MeasuredQuantity
  /// How far lengths across the image may be off, in percent, one standard deviation; `nil` for
  /// depths.
  public var lengthPercent: Double?
  /// The limit in words, without a period, such as `lengths only to ± 6.5 %`.
  public var message: String

  /// The ± of lengths, in percent, up to which a capture is plainly measurable.
  ///
  /// - Source: `Documentation/decisions/0041-lengths-are-part-of-the-headline.md`.
  public static let plainLengthPercent = 3.0

  /// The limits of a capture with this ±, lengths first.
  static func limits(of uncertainty: DepthUncertainty) -> [MeasurementLimit] {
    var limits: [MeasurementLimit] = []
    if let percent = uncertainty.lengthPercent, percent > plainLengthPercent {
      limits.append(
        MeasurementLimit(
          quantity: .length, lengthPercent: percent,
          message: "lengths only to ± \(percent.fixed(1)) %"))
    }
    if uncertainty.sensor == nil {
      limits.append(
        MeasurementLimit(
          quantity: .depth,
          message: "the noise of the sensor is not known and not in the ± of depth"))
    }
    return limits
  }
}
