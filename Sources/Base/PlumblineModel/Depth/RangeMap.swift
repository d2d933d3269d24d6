/// Range: the length of each pixel's ray from the camera center to the surface, in meters.
///
/// Some producers (GDepth `OpticRay`, renderers) store it instead of depth; at the corner of a 70°
/// image the two differ by 20 %. Missing is NaN.
public struct RangeMap: Sendable {
  /// Meters along the ray; NaN where not measured.
  public var meters: Raster<Float>

  /// Wraps ray lengths; values that are not finite and above 0 become missing, O(*n*).
  package init(meters: Raster<Float>) {
    self.meters = DepthConversion.checked(meters)
  }

  /// The number of columns and rows.
  public var size: RasterSize { meters.size }

  /// Converts the map to depth along the optical axis: `z = r / |(x/z, y/z, 1)|`; O(*n*).
  ///
  /// - Precondition: `intrinsics.size` equals the size of the map.
  public func depthMap(intrinsics: PinholeIntrinsics) -> DepthMap {
    precondition(intrinsics.size == size, "intrinsics of \(intrinsics.size) for a map of \(size)")
    let rays = intrinsics.rayTable
    return DepthMap(
      meters: Raster(size: size) { x, y in
        let ray = SIMD2(rays.columns[x], rays.rows[y])
        return self.meters[x, y] / (ray.x * ray.x + ray.y * ray.y + 1).squareRoot()
      })
  }
}

extension DepthMap {
  /// Converts the map to ray lengths: `r = z · |(x/z, y/z, 1)|`; O(*n*).
  ///
  /// - Precondition: `intrinsics.size` equals the size of the map.
  package func rangeMap(intrinsics: PinholeIntrinsics) -> RangeMap {
    precondition(intrinsics.size == size, "intrinsics of \(intrinsics.size) for a map of \(size)")
    let rays = intrinsics.rayTable
    return RangeMap(
      meters: Raster(size: size) { x, y in
        let ray = SIMD2(rays.columns[x], rays.rows[y])
        return self.meters[x, y] * (ray.x * ray.x + ray.y * ray.y + 1).squareRoot()
      })
  }
}
