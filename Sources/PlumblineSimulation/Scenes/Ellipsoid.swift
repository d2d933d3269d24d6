public import PlumblineModel

/// An ellipsoid, or with three equal semiaxes a sphere.
public struct Ellipsoid: SceneSurface {
  /// Its center, in meters.
  public let center: SIMD3<Double>
  /// Half its lengths along its own axes, in meters.
  public let semiaxes: SIMD3<Double>
  /// Its axes in the scene.
  public let rotation: Rotation
  /// Its paint.
  public let pattern: Pattern
  /// `unitFromScene` without its translation: takes the ellipsoid to a unit sphere.
  let unitFromScene: Rotation

  /// Creates an ellipsoid.
  ///
  /// - Precondition: The semiaxes are above 0.
  public init(
    center: SIMD3<Double>, semiaxes: SIMD3<Double>, rotation: Rotation = .identity,
    pattern: Pattern
  ) {
    precondition(semiaxes.min() > 0, "semiaxes \(semiaxes) make no ellipsoid")
    self.center = center
    self.semiaxes = semiaxes
    self.rotation = rotation
    self.pattern = pattern
    let inverse = rotation.inverse
    unitFromScene = Rotation(
      x: inverse.x / semiaxes, y: inverse.y / semiaxes, z: inverse.z / semiaxes)
  }

  /// Creates a sphere.
  public init(center: SIMD3<Double>, radius: Double, pattern: Pattern) {
    self.init(center: center, semiaxes: SIMD3(repeating: radius), pattern: pattern)
  }

  /// The coefficients of `|unit position|² = a·t² + 2·b·t + c` along a ray.
  func quadratic(along ray: Ray) -> (a: Double, b: Double, c: Double) {
    let origin = turned(ray.origin - center, by: unitFromScene)
    let direction = turned(ray.direction, by: unitFromScene)
    return (dot(direction, direction), dot(origin, direction), dot(origin, origin))
  }

  /// The ball through the farthest points.
  public var bounds: BoundingBall? { BoundingBall(center: center, radius: semiaxes.max()) }

  /// The parameter of the first point ahead of the ray; `nil` when it misses.
  public func firstHit(of ray: Ray) -> Double? {
    let (a, b, c) = quadratic(along: ray)
    let discriminant = b * b - a * (c - 1)
    guard discriminant >= 0 else { return nil }
    let root = discriminant.squareRoot()
    let near = (-b - root) / a
    if near > 1e-9 { return near }
    let far = (-b + root) / a
    return far > 1e-9 ? far : nil
  }

  /// The outward unit normal at a point of the surface.
  public func normal(at point: SIMD3<Double>) -> SIMD3<Double> {
    normalized(rotation * (unitFromScene * (point - center) / semiaxes))
  }

  /// The paint at a point of the surface.
  public func paint(at point: SIMD3<Double>) -> Paint { pattern.paint(at: point) }

  /// The share of light that passes along a ray whose parameter 1 is the light, 0 to 1.
  public func transmission(along ray: Ray, lightRadius: Double) -> Double {
    let (a, b, c) = quadratic(along: ray)
    let closest = min(max(-b / a, 0), 1)
    // A surface does not shadow itself here; its own side away from the light is dark anyway.
    guard closest > 0, closest < 1, c > 1.0001 else { return 1 }
    let distance = (a * closest * closest + 2 * b * closest + c).squareRoot() - 1
    // The light's disk as seen through the closest point has this radius there.
    let penumbra = max(lightRadius * closest, 1e-6) / semiaxes.min()
    return smoothStep(from: -penumbra, to: penumbra, distance)
  }

  /// The share of the ambient light that reaches a point of any surface, 0 to 1.
  public func ambientAccess(at point: SIMD3<Double>, normal: SIMD3<Double>) -> Double {
    let offset = center - point
    let distance = length(offset)
    let radius = (semiaxes.x * semiaxes.y + semiaxes.z * semiaxes.y) / 2
    guard distance > 1e-6 else { return 1 }
    // The share of the hemisphere that a sphere of the mean cross-section covers, cosine-weighted.
    let cosine = max(dot(offset, normal) / distance, 0)
    return 1 - min(cosine * radius / (distance * distance), 1) * 0.8
  }
}

/// 0 below the first edge, 1 above the second, `3t² − 2t³` between them.
func smoothStep(from low: Double, to high: Double, _ value: Double) -> Double {
  let share = min(max((value - low) / (high - low), 0), 1)
  return share * share * (3 - 2 * share)
}
