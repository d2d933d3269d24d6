package import PlumblineModel

/// The length of the straight line between two measured points, with its uncertainty.
///
/// Depth errors move a point along its own ray, so each end counts by how far its ray runs along
/// the line: to first order δL = u·(r_b δz_b − r_a δz_a), with the line's unit vector *u* and the
/// rays *r* of `z = 1`. The two ends are taken as independent; what both share, such as an error
/// of the scale or of the focal length, belongs into ``lengthPercent``.
///
/// - Source: propagation of uncertainty, JCGM 100:2008 (GUM), 5.1.2.
package struct LineMeasurement: Hashable, Sendable {
  /// One end.
  package var start: MeasuredPoint
  /// The other end.
  package var end: MeasuredPoint
  /// One standard deviation of what scales all lengths alike, in percent.
  package var lengthPercent: Double

  /// Creates a measurement between two points.
  package init(from start: MeasuredPoint, to end: MeasuredPoint, lengthPercent: Double = 0) {
    self.start = start
    self.end = end
    self.lengthPercent = lengthPercent
  }

  /// The length in meters.
  package var meters: Double { length(end.position - start.position) }

  /// One standard deviation of the length in meters, of all causes.
  package var sigmaMeters: Double {
    let shared = lengthPercent / 100 * meters
    return (endsSigmaMeters * endsSigmaMeters + shared * shared).squareRoot()
  }

  /// One standard deviation of the length in meters that the depths of the two ends cause.
  ///
  /// A line of no length has no direction; its ends may then lie apart in any, so that the whole
  /// movement along both rays counts.
  package var endsSigmaMeters: Double {
    let line = end.position - start.position
    let meters = length(line)
    func share(_ point: MeasuredPoint) -> Double {
      let along = meters > 0 ? (point.ray * line).sum() / meters : length(point.ray)
      return along * point.sigmaMeters
    }
    let shares = (share(start), share(end))
    return (shares.0 * shares.0 + shares.1 * shares.1).squareRoot()
  }

  private func length(_ vector: SIMD3<Double>) -> Double { (vector * vector).sum().squareRoot() }
}

/// One measured point with the uncertainty of its depth.
package struct MeasuredPoint: Hashable, Sendable {
  /// The point in the camera frame, in meters; `z` above 0.
  package var position: SIMD3<Double>
  /// One standard deviation of `z`, in meters.
  package var sigmaMeters: Double

  /// Creates a point from its parts.
  package init(position: SIMD3<Double>, sigmaMeters: Double) {
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
  package init?(x: Int, y: Int, depth: DepthMap, rays: RayMap, sigma: SigmaCurve) {
    precondition(rays.size == depth.size, "rays of \(rays.size) for a map of \(depth.size)")
    guard depth.meters.contains(x: x, y: y), depth.meters[x, y].isFinite else { return nil }
    let z = Double(depth.meters[x, y])
    let slope = SIMD2(Double(rays.xOverZ[x, y]), Double(rays.yOverZ[x, y]))
    self.init(position: SIMD3(slope * z, z), sigmaMeters: sigma.sigmaMeters(atDepth: z))
  }

  /// How the position moves when `z` grows by one meter: the pixel's ray with `z = 1`.
  var ray: SIMD3<Double> { position / position.z }
}
