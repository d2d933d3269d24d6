public import PlumblineModel

/// Points in the frame of the camera that saw them, with their colors and uncertainties.
///
/// Frame: the camera's, `x` right, `y` down, `z` forward. Unit: meters where ``isMetric``, else the
/// unit of a relative map, which no length must be read from. Attributes are arrays of the same
/// length as the positions.
public struct PointCloud: Sendable {
  /// The points; all finite, `z` above 0.
  public var positions: [PackedPoint]
  /// The color of each point, non-linear as stored; `nil` when there is no color.
  public var colors: [RGB8]?
  /// One standard deviation of each point's `z` in meters; `nil` when not known.
  ///
  /// A point is uncertain along its ray: there by this number times |p| / z.
  public var sigmaMeters: [Float]?
  /// The pixel of each point as `y · width + x` of its depth map; `nil` without one map.
  public var pixelIndices: [UInt32]?
  /// Whether the unit is meters.
  public var isMetric: Bool

  /// Creates a cloud from its parts.
  ///
  /// - Precondition: Attributes are as many as positions.
  public init(
    positions: [PackedPoint], colors: [RGB8]? = nil, sigmaMeters: [Float]? = nil,
    pixelIndices: [UInt32]? = nil, isMetric: Bool
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
  }

  /// The number of points.
  public var count: Int { positions.count }
}
