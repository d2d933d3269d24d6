/// Surfaces and light: all that a simulated camera can see.
///
/// Frame: meters, `x` right, `y` down, `z` forward, as for a camera at identity.
public struct SimulatedScene: Sendable {
  /// The surfaces, in no particular order.
  package var surfaces: [any SceneSurface] {
    didSet { bounds = surfaces.map(\.bounds) }
  }
  /// The light.
  package var lighting: Lighting
  private var bounds: [BoundingBall?]

  /// Creates a scene.
  package init(surfaces: [any SceneSurface], lighting: Lighting = .plain) {
    self.surfaces = surfaces
    self.lighting = lighting
    bounds = surfaces.map(\.bounds)
  }

  /// The first hit of a ray on a surface.
  package struct Hit: Sendable {
    /// The ray's parameter; for a camera ray its depth in meters.
    package var parameter: Double
    /// The index of the surface.
    package var surface: Int
  }

  /// The first hit along a ray; `nil` when it hits nothing.
  package func firstHit(of ray: Ray) -> Hit? {
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

  /// Whether one point is visible from another; both may lie on a surface.
  ///
  /// A surface less than `tolerance` meters before the target counts as the target's own surface.
  package func isVisible(
    _ target: SIMD3<Double>, from origin: SIMD3<Double>, tolerance: Double = 1e-4
  ) -> Bool {
    let direction = target - origin
    let distance = length(direction)
    guard distance > tolerance else { return true }
    guard let hit = firstHit(of: Ray(origin: origin, direction: direction)) else { return true }
    return hit.parameter * distance > distance - tolerance
  }
}

/// The light of a scene.
package struct Lighting: Sendable {
  /// A small bright ball.
  package struct Lamp: Sendable {
    /// Its center, in meters.
    package var position: SIMD3<Double>
    /// Its light at a distance of one meter, linear.
    package var strength: SIMD3<Double>
    /// Its radius in meters, which makes its shadows soft.
    package var radius: Double
    /// Whether it casts shadows.
    package var castsShadows: Bool

    /// Creates a lamp.
    package init(
      position: SIMD3<Double>, strength: SIMD3<Double>, radius: Double, castsShadows: Bool = true
    ) {
      self.position = position
      self.strength = strength
      self.radius = radius
      self.castsShadows = castsShadows
    }
  }

  /// The lamps.
  package var lamps: [Lamp]
  /// The ambient light from above, linear.
  package var sky: SIMD3<Double>
  /// The ambient light from below, linear.
  package var ground: SIMD3<Double>

  /// Creates lighting from its parts.
  package init(lamps: [Lamp], sky: SIMD3<Double>, ground: SIMD3<Double>) {
    self.lamps = lamps
    self.sky = sky
    self.ground = ground
  }

  /// One lamp at the upper left and a gray room.
  package static let plain = Lighting(
    lamps: [Lamp(position: [-1, -1, -0.5], strength: [2, 2, 2], radius: 0.1)],
    sky: [0.4, 0.4, 0.4], ground: [0.3, 0.3, 0.3])

  /// The ambient light on a surface: `y` points down, so the upward direction is negative.
  func ambient(on normal: SIMD3<Double>) -> SIMD3<Double> {
    ground + (sky - ground) * (0.5 - 0.5 * normal.y)
  }
}

extension SimulatedScene {
  /// The linear light that returns along a ray; black if the ray hits nothing.
  ///
  /// Lambert's law for each lamp, the ambient light, and a Blinn highlight for glossy paint.
  func light(on hit: Hit?, along ray: Ray, from camera: SimulatedCamera) -> SIMD3<Double> {
    guard let hit else { return .zero }
    let surface = surfaces[hit.surface]
    let point = ray.point(at: hit.parameter)
    return light(
      paint: surface.paint(at: point), at: point, normal: surface.normal(at: point),
      toCamera: -normalized(ray.direction))
  }

  /// The linear light from a painted point towards a camera.
  func light(
    paint: Paint, at point: SIMD3<Double>, normal outward: SIMD3<Double>, toCamera: SIMD3<Double>
  ) -> SIMD3<Double> {
    let normal = dot(outward, toCamera) < 0 ? -outward : outward
    let access = surfaces.reduce(1) { $0 * $1.ambientAccess(at: point, normal: normal) }
    var light = paint.albedo * lighting.ambient(on: normal) * access
    for lamp in lighting.lamps {
      let toLamp = lamp.position - point
      let distance = length(toLamp)
      let cosine = dot(normal, toLamp) / distance
      guard cosine > 0 else { continue }
      let shade = lamp.castsShadows ? transmission(from: point, normal: normal, to: lamp) : 1
      guard shade > 0 else { continue }
      let arriving = lamp.strength * (shade / (distance * distance))
      light += paint.albedo * arriving * cosine
      if paint.gloss > 0 {
        let half = normalized(toLamp / distance + toCamera)
        // The 32nd power by five squarings, for a highlight about 20° wide.
        var highlight = max(dot(normal, half), 0)
        for _ in 0..<5 { highlight *= highlight }
        light += arriving * (paint.gloss * highlight)
      }
    }
    return light
  }

  private func transmission(
    from point: SIMD3<Double>, normal: SIMD3<Double>, to lamp: Lighting.Lamp
  ) -> Double {
    let start = point + normal * 0.002
    let ray = Ray(origin: start, direction: lamp.position - start)
    var light = 1.0
    for surface in surfaces where light > 0 {
      light *= surface.transmission(along: ray, lightRadius: lamp.radius)
    }
    return light
  }
}
