public import PlumblineModel

/// Where the uncertainty of each point comes from.
public enum PointUncertainty: Sendable {
  /// Nothing is known.
  case unknown
  /// A function of the depth.
  case curve(SigmaCurve)
  /// One standard deviation of each pixel's depth, in meters; of the size of the depth map.
  case meters(Raster<Float>)
}
