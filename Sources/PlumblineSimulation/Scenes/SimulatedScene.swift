/// Surfaces and light: everything that a simulated camera can see.
///
/// Frame: meters, `x` right, `y` down, `z` forward, the frame of a camera without transform.
public struct SimulatedScene: Sendable {
  /// The surfaces, in no particular order.
  public var surfaces: [any SceneSurface] {
    didSet { bounds = surfaces.map(\.bounds) }
  }
  /// The light.
  public var lighting: Lighting
  private var bounds: [BoundingBall?]

  /// Creates a scene.
  public init(surfaces: [any SceneSurface], lighting: Lighting = .plain) {
    self.surfaces = surfaces
    self.lighting = lighting
    bounds = surfaces.map(\.bounds)
  }

  /// Where a ray first meets a surface.
  public struct Hit: Sendable {
    /// The ray's parameter; for a camera ray its depth in meters.
    public var parameter: Double
    /// The index of the surface.
    public var surface: Int
  }

  /// The nearest surface along a ray; `nil` when it meets none.
  public func firstHit(of ray: Ray) -> Hit? {
    var nearest: Hit?
    let squaredSpeed = dot(ray.direction, ray.direction)
    for index in surfaces.indices {
      if let ball = bounds[index], !ball.isNear(ray, squaredSpeed: squaredSpeed) { continue }
      guard let parameter = surfaces[index].firstHit(of: ray) else { continue }
      if parameter < nearest?.parameter ?? .infinity {
        nearest = Hit(parameter: parameter, surface: index)
      }
    }
    return nearest
  }

  /// Whether one point is seen from another, both off or on a surface.
  ///
  /// A surface within `tolerance` meters before the target counts as the target's own.
  public func isVisible(
    _ target: SIMD3<Double>, from origin: SIMD3<Double>, tolerance: Double = 1e-4
  ) -> Bool {
    let direction = target - origin
    let distance = length(direction)
    guard distance > tolerance else { return true }
    guard let hit = firstHit(of: Ray(origin: origin, direction: direction)) else { return true }
    return hit.parameter * distance > distance - tolerance
  }
}
