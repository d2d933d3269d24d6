package import PlumblineModel

/// An infinite plane.
package struct Plane: SceneSurface {
  /// A point on it, in meters.
  package var point: SIMD3<Double>
  /// Its unit normal, towards the visible side.
  package var unitNormal: SIMD3<Double>
  /// Its paint.
  package var pattern: Pattern

  /// Creates a plane; the normal may have any length except 0.
  package init(through point: SIMD3<Double>, normal: SIMD3<Double>, pattern: Pattern) {
    self.point = point
    self.unitNormal = normalized(normal)
    self.pattern = pattern
  }

  /// The ray parameter of the first hit; `nil` when the ray misses.
  package func firstHit(of ray: Ray) -> Double? {
    let slope = dot(ray.direction, unitNormal)
    guard slope != 0 else { return nil }
    let parameter = dot(point - ray.origin, unitNormal) / slope
    return parameter > 1e-9 ? parameter : nil
  }

  /// The outward unit normal at a point of the surface.
  package func normal(at point: SIMD3<Double>) -> SIMD3<Double> { unitNormal }

  /// The paint at a point of the surface.
  package func paint(at point: SIMD3<Double>) -> Paint { pattern.paint(at: point) }
}

/// A box with flat faces and sharp edges.
package struct OrientedBox: SceneSurface {
  /// Its center, in meters.
  package let center: SIMD3<Double>
  /// Half its lengths along its own axes, in meters.
  package let halfSize: SIMD3<Double>
  /// Its axes in the scene.
  package let rotation: Rotation
  /// Its paint.
  package let pattern: Pattern

  /// Creates a box.
  package init(
    center: SIMD3<Double>, halfSize: SIMD3<Double>, rotation: Rotation = .identity,
    pattern: Pattern
  ) {
    self.center = center
    self.halfSize = halfSize
    self.rotation = rotation
    self.pattern = pattern
  }

  /// A bounding ball through the corners.
  package var bounds: BoundingBall? { BoundingBall(center: center, radius: length(halfSize)) }

  /// The ray parameter of the first hit; `nil` when the ray misses.
  package func firstHit(of ray: Ray) -> Double? {
    let boxFromScene = rotation.inverse
    let origin = boxFromScene * (ray.origin - center)
    let direction = boxFromScene * ray.direction
    // A zero component of the direction gives ±infinity, or NaN exactly on a face, which the
    // comparisons below accept.
    let first = (-halfSize - origin) / direction
    let second = (halfSize - origin) / direction
    var enter = -Double.infinity
    var leave = Double.infinity
    for axis in 0..<3 {
      enter = max(enter, min(first[axis], second[axis]))
      leave = min(leave, max(first[axis], second[axis]))
    }
    guard enter <= leave, leave > 1e-9 else { return nil }
    return enter > 1e-9 ? enter : leave
  }

  /// Blocks light completely or not at all: a hard shadow.
  package func transmission(along ray: Ray, lightRadius: Double) -> Double {
    let ball = BoundingBall(center: center, radius: length(halfSize))
    guard ball.isNear(ray, squaredSpeed: dot(ray.direction, ray.direction)),
      let parameter = firstHit(of: ray)
    else { return 1 }
    return parameter < 1 ? 0 : 1
  }

  /// The outward unit normal at a point of the surface.
  package func normal(at point: SIMD3<Double>) -> SIMD3<Double> {
    let local = rotation.inverse * (point - center) / halfSize
    let size = SIMD3(abs(local.x), abs(local.y), abs(local.z))
    if size.x >= size.y && size.x >= size.z { return rotation.x * (local.x < 0 ? -1 : 1) }
    if size.y >= size.z { return rotation.y * (local.y < 0 ? -1 : 1) }
    return rotation.z * (local.z < 0 ? -1 : 1)
  }

  /// The paint at a point of the surface.
  package func paint(at point: SIMD3<Double>) -> Paint { pattern.paint(at: point) }
}

/// An ellipsoid, or with three equal semiaxes a sphere.
package struct Ellipsoid: SceneSurface {
  /// Its center, in meters.
  package let center: SIMD3<Double>
  /// Half its lengths along its own axes, in meters.
  package let semiaxes: SIMD3<Double>
  /// Its axes in the scene.
  package let rotation: Rotation
  /// Its paint.
  package let pattern: Pattern
  /// Where the ellipsoid is a unit sphere.
  let unit: UnitSpace

  /// The axes in which an ellipsoid is a unit sphere about the origin.
  struct UnitSpace: Sendable {
    /// The origin, in meters of the scene.
    let center: SIMD3<Double>
    /// The transform from the scene, without its translation.
    let unitFromScene: Rotation

    /// The coefficients of `|unit position|² = a·t² + 2·b·t + c` along a ray.
    @inline(__always)
    func quadratic(along ray: Ray) -> (a: Double, b: Double, c: Double) {
      let origin = turned(ray.origin - center, by: unitFromScene)
      let direction = turned(ray.direction, by: unitFromScene)
      return (dot(direction, direction), dot(origin, direction), dot(origin, origin))
    }
  }

  /// Creates an ellipsoid.
  ///
  /// - Precondition: The semiaxes are above 0.
  package init(
    center: SIMD3<Double>, semiaxes: SIMD3<Double>, rotation: Rotation = .identity,
    pattern: Pattern
  ) {
    precondition(semiaxes.min() > 0, "semiaxes \(semiaxes) make no ellipsoid")
    self.center = center
    self.semiaxes = semiaxes
    self.rotation = rotation
    self.pattern = pattern
    let inverse = rotation.inverse
    unit = UnitSpace(
      center: center,
      unitFromScene: Rotation(
        x: inverse.x / semiaxes, y: inverse.y / semiaxes, z: inverse.z / semiaxes))
  }

  /// Creates a sphere.
  package init(center: SIMD3<Double>, radius: Double, pattern: Pattern) {
    self.init(center: center, semiaxes: SIMD3(repeating: radius), pattern: pattern)
  }

  /// A bounding ball through the farthest points.
  package var bounds: BoundingBall? { BoundingBall(center: center, radius: semiaxes.max()) }

  /// The ray parameter of the first hit; `nil` when the ray misses.
  package func firstHit(of ray: Ray) -> Double? {
    let (a, b, c) = unit.quadratic(along: ray)
    let discriminant = b * b - a * (c - 1)
    guard discriminant >= 0 else { return nil }
    let root = discriminant.squareRoot()
    let near = (-b - root) / a
    if near > 1e-9 { return near }
    let far = (-b + root) / a
    return far > 1e-9 ? far : nil
  }

  /// The outward unit normal at a point of the surface.
  package func normal(at point: SIMD3<Double>) -> SIMD3<Double> {
    normalized(rotation * (unit.unitFromScene * (point - center) / semiaxes))
  }

  /// The paint at a point of the surface.
  package func paint(at point: SIMD3<Double>) -> Paint { pattern.paint(at: point) }

  /// The fraction of light that passes along a ray whose parameter 1 is the light, 0 to 1.
  package func transmission(along ray: Ray, lightRadius: Double) -> Double {
    let (a, b, c) = unit.quadratic(along: ray)
    let closest = min(max(-b / a, 0), 1)
    // A surface does not shadow itself here; the side facing away from the light is dark anyway.
    guard closest > 0, closest < 1, c > 1.0001 else { return 1 }
    let distance = (a * closest * closest + 2 * b * closest + c).squareRoot() - 1
    // The radius of the light's disk, seen through the closest point.
    let penumbra = max(lightRadius * closest, 1e-6) / semiaxes.min()
    return smoothStep(from: -penumbra, to: penumbra, distance)
  }

  /// The fraction of the ambient light that reaches a point of any surface, 0 to 1.
  package func ambientAccess(at point: SIMD3<Double>, normal: SIMD3<Double>) -> Double {
    let offset = center - point
    let distance = length(offset)
    let radius = (semiaxes.x * semiaxes.y + semiaxes.z * semiaxes.y) / 2
    guard distance > 1e-6 else { return 1 }
    // The cosine-weighted fraction of the hemisphere covered by a sphere with the mean
    // cross-section.
    let cosine = max(dot(offset, normal) / distance, 0)
    return 1 - min(cosine * radius / (distance * distance), 1) * 0.8
  }
}

/// 0 below the first edge, 1 above the second, `3t² − 2t³` between them.
func smoothStep(from low: Double, to high: Double, _ value: Double) -> Double {
  let share = min(max((value - low) / (high - low), 0), 1)
  return share * share * (3 - 2 * share)
}
