public import PlumblineModel

/// The sources of each point's uncertainty.
public enum PointUncertainty: Sendable {
  /// Nothing is known.
  case unknown
  /// A function of the depth.
  case curve(SigmaCurve)
  /// One standard deviation of each pixel's depth, in meters; of the size of the depth map.
  case meters(Raster<Float>)
}
