/// A measured number with its ± in parts that are independent of each other.
public struct MeasuredValue: Hashable, Sendable {
  /// What the number counts.
  public enum Unit: String, Sendable {
    /// A length, in meters.
    case meters = "m"
    /// An angle, in radians.
    case radians = "rad"
    /// An area, in square meters.
    case squareMeters = "m²"
    /// A volume, in cubic meters.
    case cubicMeters = "m³"
    /// A part of a direction, without unit.
    case one = "1"
  }

  /// The number, in its unit.
  public var value: Double
  /// Its unit, which is that of all parts.
  public var unit: Unit
  /// The ± of errors that each pixel has for itself; `nil` when unknown.
  public var sensor: Double?
  /// The ± of the camera's errors, which all points share: focal length and principal point; `nil`
  /// when unknown.
  public var calibration: Double?
  /// The ± of the errors of depth that all points share; `nil` when unknown.
  public var scale: Double?

  /// Creates a number with its parts.
  public init(
    value: Double, unit: Unit, sensor: Double?, calibration: Double?, scale: Double?
  ) {
    self.value = value
    self.unit = unit
    self.sensor = sensor
    self.calibration = calibration
    self.scale = scale
  }

  /// One standard deviation of all causes: the root of the sum of the squares of the parts; `nil`
  /// where one of them is unknown.
  public var sigma: Double? {
    guard let sensor, let calibration, let scale else { return nil }
    return (sensor * sensor + calibration * calibration + scale * scale).squareRoot()
  }
}
