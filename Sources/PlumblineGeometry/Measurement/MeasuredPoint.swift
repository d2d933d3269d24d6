public import PlumblineModel

/// One measured point with the uncertainty of its depth.
public struct MeasuredPoint: Hashable, Sendable {
  /// The point in the camera frame, in meters; `z` above 0.
  public var position: SIMD3<Double>
  /// One standard deviation of `z`, in meters.
  public var sigmaMeters: Double

  /// Creates a point from its parts.
  public init(position: SIMD3<Double>, sigmaMeters: Double) {
    self.position = position
    self.sigmaMeters = sigmaMeters
  }

  /// The point at a pixel of a map; `nil` outside the map and where nothing was measured.
  ///
  /// - Parameters:
  ///   - x: The column.
  ///   - y: The row.
  ///   - depth: Meters.
  ///   - rays: The rays of the map's pixels.
  ///   - sigma: One standard deviation of `z` by depth.
  /// - Precondition: The rays have the size of the map.
  public init?(x: Int, y: Int, depth: DepthMap, rays: RayMap, sigma: SigmaCurve) {
    precondition(rays.size == depth.size, "rays of \(rays.size) for a map of \(depth.size)")
    guard depth.meters.contains(x: x, y: y), depth.meters[x, y].isFinite else { return nil }
    let z = Double(depth.meters[x, y])
    let slope = SIMD2(Double(rays.xOverZ[x, y]), Double(rays.yOverZ[x, y]))
    self.init(position: SIMD3(slope * z, z), sigmaMeters: sigma.sigmaMeters(atDepth: z))
  }

  /// How the position moves when `z` grows by one meter: the pixel's ray with `z = 1`.
  var ray: SIMD3<Double> { position / position.z }
}
