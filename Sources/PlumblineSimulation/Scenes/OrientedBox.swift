public import PlumblineModel

/// A box with flat faces and sharp edges.
public struct OrientedBox: SceneSurface {
  /// Its center, in meters.
  public let center: SIMD3<Double>
  /// Half its lengths along its own axes, in meters.
  public let halfSize: SIMD3<Double>
  /// Its axes in the scene.
  public let rotation: Rotation
  /// Its paint.
  public let pattern: Pattern

  /// Creates a box.
  public init(
    center: SIMD3<Double>, halfSize: SIMD3<Double>, rotation: Rotation = .identity,
    pattern: Pattern
  ) {
    self.center = center
    self.halfSize = halfSize
    self.rotation = rotation
    self.pattern = pattern
  }

  /// The ball through the corners.
  public var bounds: BoundingBall? { BoundingBall(center: center, radius: length(halfSize)) }

  /// The parameter of the first point ahead of the ray; `nil` when it misses.
  public func firstHit(of ray: Ray) -> Double? {
    let boxFromScene = rotation.inverse
    let origin = boxFromScene * (ray.origin - center)
    let direction = boxFromScene * ray.direction
    // An axis along which the ray does not move gives ±infinity, or NaN exactly on a face, which
    // the comparisons below let pass.
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

  /// Blocks light wholly or not at all: a hard shadow.
  public func transmission(along ray: Ray, lightRadius: Double) -> Double {
    let ball = BoundingBall(center: center, radius: length(halfSize))
    guard ball.isNear(ray, squaredSpeed: dot(ray.direction, ray.direction)),
      let parameter = firstHit(of: ray)
    else { return 1 }
    return parameter < 1 ? 0 : 1
  }

  /// The outward unit normal at a point of the surface.
  public func normal(at point: SIMD3<Double>) -> SIMD3<Double> {
    let local = rotation.inverse * (point - center) / halfSize
    let size = SIMD3(abs(local.x), abs(local.y), abs(local.z))
    if size.x >= size.y && size.x >= size.z { return rotation.x * (local.x < 0 ? -1 : 1) }
    if size.y >= size.z { return rotation.y * (local.y < 0 ? -1 : 1) }
    return rotation.z * (local.z < 0 ? -1 : 1)
  }

  /// The paint at a point of the surface.
  public func paint(at point: SIMD3<Double>) -> Paint { pattern.paint(at: point) }
}
