public import PlumblineModel

/// Points with their colors and uncertainties, in the frame of the camera that saw them or in the
/// world of a recording.
///
/// Frame: that of ``frame``. Unit: meters where ``isMetric``; else the unknown unit of a relative map,
/// in which no length can be measured. Attributes are arrays of the same length as the positions.
public struct PointCloud: Sendable {
  /// The axes of a cloud.
  public enum Frame: Hashable, Sendable {
    /// Those of one camera: `x` right, `y` down, `z` forward, its center at the origin.
    case camera
    /// Those of a recording's poses.
    case world(WorldAxes)
  }

  /// The points; all finite, in a camera's frame with `z` above 0.
  public var positions: [PackedPoint]
  /// The color of each point, non-linear as stored; `nil` when there is no color.
  public var colors: [RGB8]?
  /// One standard deviation of each point in meters; `nil` when not known.
  ///
  /// In a camera's frame that of `z`: the point lies on its ray in any case; along the ray its σ is
  /// this number times |p| / z. In the world that along the rays that saw the point. NaN for a point that
  /// has none.
  public var sigmaMeters: [Float]?
  /// The pixel of each point as `y · width + x` of its depth map; `nil` without one map.
  public var pixelIndices: [UInt32]?
  /// Whether the unit is meters.
  public var isMetric: Bool
  /// The axes.
  public var frame: Frame

  /// Creates a cloud from its parts.
  ///
  /// - Precondition: Each attribute has as many elements as there are positions.
  package init(
    positions: [PackedPoint], colors: [RGB8]? = nil, sigmaMeters: [Float]? = nil,
    pixelIndices: [UInt32]? = nil, isMetric: Bool, frame: Frame = .camera
  ) {
    let counts = [colors?.count, sigmaMeters?.count, pixelIndices?.count]
    precondition(
      counts.allSatisfy { $0 == nil || $0 == positions.count },
      "attributes of \(counts.map { $0 ?? positions.count }) for \(positions.count) points")
    self.positions = positions
    self.colors = colors
    self.sigmaMeters = sigmaMeters
    self.pixelIndices = pixelIndices
    self.isMetric = isMetric
    self.frame = frame
  }

  /// The number of points.
  public var count: Int { positions.count }
}

extension PointCloud {
  /// Unprojects the measured pixels of a map along their rays.
  ///
  /// Points come row after row; missing pixels are left out. Color is taken from the nearest pixel
  /// by centers: depth pixel *u* takes color `(u + ½)·s` rounded down, with *s* color pixels per
  /// depth pixel. An average over several pixels would mix the colors of both sides of an edge. There
  /// points are most often wrong, and an unmixed color shows it best.
  ///
  /// - Parameters:
  ///   - depth: Meters, or the relative unit when `isMetric` is false.
  ///   - rays: The rays of the map's pixels.
  ///   - color: Any size with the field of view of the depth map; `nil` for none.
  ///   - uncertainty: What gives each point's σ of `z`.
  ///   - isMetric: Whether the depths are meters.
  /// - Precondition: Rays and σ have the size of the map; the color has pixels.
  /// - Complexity: O(*n*); the result depends on nothing but the arguments.
  package init(
    depth: DepthMap, rays: RayMap, color: Raster<RGB8>? = nil,
    uncertainty: PointUncertainty = .unknown, isMetric: Bool
  ) {
    precondition(rays.size == depth.size, "rays of \(rays.size) for a map of \(depth.size)")
    let pixels = MeasuredPixels(of: depth)
    let sigmas: [Float]?
    switch uncertainty {
    case .unknown: sigmas = nil
    case .curve(let curve): sigmas = pixels.sigmas(depth: depth, curve: curve)
    case .meters(let raster):
      precondition(raster.size == depth.size, "σ of \(raster.size) for a map of \(depth.size)")
      sigmas = pixels.values(of: raster)
    }
    self.init(
      positions: pixels.positions(depth: depth, rays: rays),
      colors: color.map { pixels.colors(from: $0) }, sigmaMeters: sigmas,
      pixelIndices: pixels.indices, isMetric: isMetric)
  }
}

/// The sources of each point's uncertainty.
package enum PointUncertainty: Sendable {
  /// Nothing is known.
  case unknown
  /// A function of the depth.
  case curve(SigmaCurve)
  /// One standard deviation of each pixel's depth, in meters; of the size of the depth map.
  case meters(Raster<Float>)
}
