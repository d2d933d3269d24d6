extension SimulatedScene {
  /// The light that comes back along a ray, linear; black where nothing is seen.
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

  /// The light that a painted point sends towards a camera, linear.
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
        // The 32nd power by five squarings: a highlight about 20° wide.
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
