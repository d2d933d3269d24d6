public import PlumblineCorrection
public import PlumblineEstimation
public import PlumblineVision

/// The settings of an estimate besides the model.
public struct EstimateRequest: Sendable {
  /// The use of a capture's own depth.
  public enum SensorUse: String, Sendable, CaseIterable {
    /// The estimate is fitted to it where it is in meters and nothing else is given.
    case auto
    /// The estimate is fitted to it, and it is an error where it is not in meters.
    case sensor
    /// The capture's own depth is ignored.
    case none
  }

  /// The use of a capture's own depth.
  public var sensorUse = SensorUse.auto
  /// Distances that the user measured, in pixels of the image as stored.
  public var distances: [KnownDistance] = []
  /// A board of known size in the image.
  public var board: Board?
  /// The free parameters of the fit; `nil` for what suits the model.
  public var shape: EstimateFit.Shape?
  /// Whether edges are drawn along those of the image.
  public var isSharpened = false
  /// Whether the holes of the sensor's depth are filled, instead of its map being replaced.
  public var fillsHoles = false

  /// An estimate fitted to sensor depth where there is any.
  public init() {}
}
