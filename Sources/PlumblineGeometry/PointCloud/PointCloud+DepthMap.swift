public import PlumblineModel

extension PointCloud {
  /// Unprojects the measured pixels of a map along their rays.
  ///
  /// Points come row after row; missing pixels are left out. Color is taken from the nearest pixel
  /// by centers: depth pixel *u* takes color `(u + ½)·s` rounded down, with *s* color pixels per
  /// depth pixel. An average over several pixels would mix the colors of both sides of an edge,
  /// which is where points are most often wrong and where color helps most to see it.
  ///
  /// - Parameters:
  ///   - depth: Meters, or the relative unit when `isMetric` is false.
  ///   - rays: The rays of the map's pixels.
  ///   - color: Any size with the field of view of the depth map; `nil` for none.
  ///   - uncertainty: What gives each point's σ of `z`.
  ///   - isMetric: Whether the depths are meters.
  /// - Precondition: Rays and σ have the size of the map; the color has pixels.
  /// - Complexity: O(*n*); the result depends on nothing but the arguments.
  public init(
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
