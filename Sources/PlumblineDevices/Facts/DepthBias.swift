/// How far a sensor's depths were from a board that was posed with some intrinsics.
///
/// Sensor minus board, along the optical axis. A focal length that is too long places the *board*
/// too far, so that the bias is negative while the sensor is right.
public struct DepthBias: SourcedFact, Hashable {
  /// Where the intrinsics came from: `factory`, a ``FocalMeasurement/Model``, or `paperEquation5`.
  public var intrinsics: String
  /// The distance of the board, in millimeters.
  public var distanceMillimeters: Double
  /// The median of sensor minus board, in millimeters.
  public var medianMillimeters: Double
  /// Where it comes from: the `id` of a source and the place in it.
  public var source: String
  /// The kind of evidence for the fact.
  public var confidence: Confidence
  /// A remark; `nil` for none.
  public var note: String?
}
