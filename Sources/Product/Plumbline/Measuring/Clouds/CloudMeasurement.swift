import PlumblineModel
public import PlumblineVerification

/// One number of what was measured in a cloud, with its ± and whether it can be believed.
public struct CloudMeasurement: Sendable {
  /// A point that a measurement used.
  public struct Place: Sendable, Hashable {
    /// The place as it was named, in meters in the cloud's frame.
    public var named: SIMD3<Double>
    /// The point of the cloud that was taken, in meters; `nil` where none is near.
    public var meters: SIMD3<Double>?
    /// How far that point is from the named place, in meters.
    public var offsetMeters: Double?
    /// One standard deviation of the point as the file states it, in meters; `nil` where it states none.
    public var sigmaMeters: Double?
  }

  /// What was asked for.
  public var request: CloudMeasurementRequest
  /// Which number of it, such as `tilt` of a plane; `nil` where there is one only.
  public var name: String?
  /// The number with its ±; `nil` where it was refused.
  public var value: MeasuredValue?
  /// The places of its points, in the order of the request; none for regions.
  public var places: [Place]
  /// Why the number cannot be believed, or was refused, one sentence each; empty where it can be.
  public var reasons: [String]

  /// Whether it was measured and nothing speaks against it.
  public var isBelievable: Bool { value != nil && reasons.isEmpty }
}

extension CloudMeasurement.Place: CustomStringConvertible {
  /// The point that was taken, to a tenth of a millimeter, as it can be named again; the named place where
  /// there is none.
  public var description: String {
    guard let meters else { return named.coordinates }
    return [meters.x, meters.y, meters.z]
      .map { String($0.fixed(4).map { $0 == "−" ? "-" : $0 }) }
      .joined(separator: ",")
  }
}

/// All that was measured in one cloud: what ``CloudMeasurer`` returns.
public struct CloudMeasurementResult: Sendable {
  /// The numbers, in the order of the requests.
  public var measurements: [CloudMeasurement]

  /// Whether all were measured and can be believed.
  public var isBelievable: Bool { measurements.allSatisfy(\.isBelievable) }
}
