/// An unbounded plane.
public struct Plane: SceneSurface {
  /// A point on it, in meters.
  public var point: SIMD3<Double>
  /// Its unit normal, towards the side from which it is seen.
  public var unitNormal: SIMD3<Double>
  /// Its paint.
  public var pattern: Pattern

  /// Creates a plane; the normal may have any length but 0.
  public init(through point: SIMD3<Double>, normal: SIMD3<Double>, pattern: Pattern) {
    self.point = point
    self.unitNormal = normalized(normal)
    self.pattern = pattern
  }

  /// The parameter of the first point ahead of the ray; `nil` when it misses.
  public func firstHit(of ray: Ray) -> Double? {
    let slope = dot(ray.direction, unitNormal)
    guard slope != 0 else { return nil }
    let parameter = dot(point - ray.origin, unitNormal) / slope
    return parameter > 1e-9 ? parameter : nil
  }

  /// The outward unit normal at a point of the surface.
  public func normal(at point: SIMD3<Double>) -> SIMD3<Double> { unitNormal }

  /// The paint at a point of the surface.
  public func paint(at point: SIMD3<Double>) -> Paint { pattern.paint(at: point) }
}
