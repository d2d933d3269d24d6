extension BlendedSolid {
  /// What rays need of a part, without its paint: a part is large, and reading one copies it.
  struct Shape: Sendable {
    let unit: Ellipsoid.UnitSpace
    let scale: Double
    let blend: Double
    let isCarved: Bool
    /// The distance from the center of the unit sphere within which the part can change the surface.
    let bound: Double

    /// Takes what is needed from a part that reaches so many meters beyond itself.
    init(_ part: Part, reachMeters: Double) {
      unit = part.ellipsoid.unit
      scale = part.scale
      blend = part.blend
      isCarved = part.isCarved
      bound = 1 + reachMeters / part.scale
    }
  }

  /// A part's field along one ray: `(√(a·t² + 2·b·t + c) − 1)·scale`.
  private struct Term {
    var a: Double
    var b: Double
    var c: Double
    var scale: Double
    var blend: Double
    var isCarved: Bool

    @inline(__always)
    func value(at t: Double) -> Double {
      (max((a * t + 2 * b) * t + c, 0).squareRoot() - 1) * scale
    }
  }

  /// The ray parameter of the first hit, to 1e-10.
  ///
  /// The step is 1.6 times the field while the safe intervals of two steps overlap, and the field
  /// value otherwise, but at least two micrometers; so a body that the ray touches by less than
  /// that may be missed.
  /// - Source: B. Keinert et al., "Enhanced Sphere Tracing", STAG 2014.
  package func firstHit(of ray: Ray) -> Double? {
    let speed = length(ray.direction)
    return withTerms(along: ray) { terms, near, far in
      guard near < far else { return nil }
      var t = near
      var safe = (t: near, value: 0.0)
      var step = 0.0
      for _ in 0..<2000 {
        let value = Self.field(terms, at: t)
        if step > max(safe.value, 2e-6) && abs(value) + safe.value < step {
          // The step was too large: a surface may lie in between, so go back and step by the field.
          step = max(safe.value, 2e-6)
          t = safe.t + step / speed
          continue
        }
        if value <= 0 { return t > near ? Self.root(terms, outside: safe.t, inside: t) : t }
        safe = (t, value)
        step = max(1.6 * value, 2e-6)
        t += step / speed
        if t > far && safe.t + value / speed > far { return nil }
      }
      return nil
    }
  }

  /// The fraction of light that passes along a ray whose parameter 1 is the light, 0 to 1.
  package func transmission(along ray: Ray, lightRadius: Double) -> Double {
    let speed = length(ray.direction)
    return withTerms(along: ray) { terms, near, far in
      let end = min(far, 1)
      // First leaves the surface on which the point lies, before searching for obstacles.
      var t = max(near, 0.004 / speed)
      var light = 1.0
      for _ in 0..<48 where t < end {
        let value = Self.field(terms, at: t)
        let clearance = value / max(lightRadius * t, 1e-6)
        light = min(light, smoothStep(from: -0.5, to: 0.6, clearance))
        if light <= 0 { return 0 }
        t += max(value, 0.003) / speed
      }
      return light
    }
  }

  /// The fraction of the ambient light that reaches a point of any surface, 0 to 1.
  package func ambientAccess(at point: SIMD3<Double>, normal: SIMD3<Double>) -> Double {
    let (value, gradient) = fieldAndGradient(at: point)
    guard value < 0.08 else { return 1 }
    // The field grows more slowly than distance; its slope at the surface gives the factor.
    let slope = value < 0.001 ? max(length(gradient), 1e-6) : 1
    var blocked = 0.0
    for (distance, weight) in [(0.007, 0.3), (0.02, 0.4), (0.05, 0.3)] {
      let open = field(at: point + normal * distance) / (distance * slope)
      blocked += weight * min(max(1 - open, 0), 1)
    }
    return 1 - 0.8 * blocked
  }

  /// Passes the parts near the ray, and the section of the ray where they are near.
  ///
  /// A part changes the surface only where its field is below its own or a later part's blend, plus
  /// the effect of smoothing; skipping parts that stay beyond twice that is exact.
  private func withTerms<Result>(
    along ray: Ray,
    _ body: (UnsafeMutableBufferPointer<Term>, _ near: Double, _ far: Double) -> Result
  ) -> Result {
    withUnsafeTemporaryAllocation(of: Term.self, capacity: shapes.count) { buffer in
      var count = 0
      var near = Double.infinity
      var far = 0.0
      for shape in shapes {
        let (a, b, c) = shape.unit.quadratic(along: ray)
        let discriminant = b * b - a * (c - shape.bound * shape.bound)
        guard discriminant > 0 else { continue }
        let root = discriminant.squareRoot()
        guard root > b else { continue }
        if !shape.isCarved {
          near = min(near, max((-b - root) / a, 0))
          far = max(far, (-b + root) / a)
        }
        buffer.initializeElement(
          at: count,
          to: Term(
            a: a, b: b, c: c, scale: shape.scale, blend: shape.blend, isCarved: shape.isCarved))
        count += 1
      }
      return body(UnsafeMutableBufferPointer(rebasing: buffer[..<count]), near, far)
    }
  }

  private static func field(_ terms: UnsafeMutableBufferPointer<Term>, at t: Double) -> Double {
    var total = Double.infinity
    for index in terms.indices {
      let value = terms[index].value(at: t)
      let sign = terms[index].isCarved ? -1.0 : 1.0
      total = sign * smoothMinimum(sign * total, value, terms[index].blend).value
    }
    return total
  }

  /// The zero of the field, by the Illinois variant of false position.
  private static func root(
    _ terms: UnsafeMutableBufferPointer<Term>, outside: Double, inside: Double
  ) -> Double {
    var low = (t: outside, value: field(terms, at: outside))
    var high = (t: inside, value: field(terms, at: inside))
    var lastSide = 0
    for _ in 0..<60 where high.t - low.t > 1e-10 {
      let t = low.t + (high.t - low.t) * low.value / (low.value - high.value)
      let value = field(terms, at: t)
      if abs(value) < 1e-12 { return t }
      if value > 0 {
        low = (t, value)
        if lastSide == 1 { high.value /= 2 }
        lastSide = 1
      } else {
        high = (t, value)
        if lastSide == -1 { low.value /= 2 }
        lastSide = -1
      }
    }
    return (low.t + high.t) / 2
  }
}
