/// Ellipsoids blended into one smooth body; some are subtracted from it.
///
/// The body is where a field is negative. The field of one ellipsoid is
/// `(|unit position| − 1)·(smallest semiaxis)`, which never changes faster than distance. A smooth
/// minimum has the same property, so a ray may always step by the field's value without passing the
/// surface.
/// - Source: J. C. Hart, "Sphere tracing", The Visual Computer 12 (1996) 527–545; the quadratic
///   smooth minimum `min(a, b) − k·h²/4` with `h = max(k − |a − b|, 0)/k`.
package struct BlendedSolid: SceneSurface {
  /// One ellipsoid of the body.
  package struct Part: Sendable {
    /// Its shape and paint.
    package var ellipsoid: Ellipsoid
    /// The distance in meters over which it blends into earlier parts; above 0.
    package var blend: Double
    /// The distance in meters over which its paint blends into earlier parts; above 0.
    package var paintBlend: Double
    /// Whether it is subtracted from the earlier parts.
    package var isCarved: Bool
    /// The minimum semiaxis, which scales the field.
    let scale: Double

    /// Creates a part.
    package init(
      _ ellipsoid: Ellipsoid, blend: Double, paintBlend: Double? = nil, isCarved: Bool = false
    ) {
      self.ellipsoid = ellipsoid
      self.blend = blend
      self.paintBlend = paintBlend ?? blend / 3
      self.isCarved = isCarved
      self.scale = ellipsoid.semiaxes.min()
    }
  }

  /// The parts, in the order in which they are added and subtracted.
  package let parts: [Part]
  /// The parts as rays need them.
  let shapes: [Shape]
  /// A bounding ball of all parts, including blending.
  package let bounds: BoundingBall?

  /// Creates a body; the first part must not be subtracted.
  package init(parts: [Part]) {
    self.parts = parts
    var largest = 0.0
    var reversed: [Double] = []
    for part in parts.reversed() {
      largest = max(largest, part.blend)
      reversed.append(2 * largest)
    }
    shapes = zip(parts, reversed.reversed()).map { Shape($0, reachMeters: $1) }
    let solids = parts.filter { !$0.isCarved }.map(\.ellipsoid)
    var low = SIMD3(repeating: Double.infinity)
    var high = -low
    for ellipsoid in solids {
      low = pointwiseMin(low, ellipsoid.center - ellipsoid.semiaxes.max())
      high = pointwiseMax(high, ellipsoid.center + ellipsoid.semiaxes.max())
    }
    // Each blend moves the surface by at most a quarter of its width.
    let swelling = parts.reduce(0) { $0 + $1.blend }
    bounds = BoundingBall(
      center: (low + high) / 2, radius: length(high - low) / 2 + swelling)
  }

  /// The outward unit normal at a point of the surface.
  package func normal(at point: SIMD3<Double>) -> SIMD3<Double> {
    normalized(fieldAndGradient(at: point).gradient)
  }

  /// The paint at a point of the surface.
  package func paint(at point: SIMD3<Double>) -> Paint {
    var total = Double.infinity
    var paint = Paint(albedo: .zero)
    for part in parts {
      let value = part.value(at: point)
      if part.isCarved {
        total = -smoothMinimum(-total, value, part.blend).value
        continue
      }
      let share = smoothMinimum(total, value, part.paintBlend).share
      if share > 0 { paint = paint.mixed(with: part.ellipsoid.paint(at: point), share: share) }
      total = smoothMinimum(total, value, part.blend).value
    }
    return paint
  }

  /// The field and its gradient at a point.
  func fieldAndGradient(at point: SIMD3<Double>) -> (value: Double, gradient: SIMD3<Double>) {
    var total = Double.infinity
    var gradient = SIMD3<Double>.zero
    for part in parts {
      let (value, slope) = part.valueAndGradient(at: point)
      let sign = part.isCarved ? -1.0 : 1.0
      let merged = smoothMinimum(sign * total, value, part.blend)
      total = sign * merged.value
      gradient += (sign * slope - gradient) * merged.share
    }
    return (total, gradient)
  }

  /// The field at a point.
  func field(at point: SIMD3<Double>) -> Double {
    parts.reduce(.infinity) { total, part in
      let sign = part.isCarved ? -1.0 : 1.0
      return sign * smoothMinimum(sign * total, part.value(at: point), part.blend).value
    }
  }
}

extension BlendedSolid.Part {
  func value(at point: SIMD3<Double>) -> Double {
    (length(turned(point - ellipsoid.center, by: ellipsoid.unit.unitFromScene)) - 1) * scale
  }

  func valueAndGradient(at point: SIMD3<Double>) -> (value: Double, gradient: SIMD3<Double>) {
    let unit = turned(point - ellipsoid.center, by: ellipsoid.unit.unitFromScene)
    let radius = max(length(unit), 1e-12)
    let gradient = turned(unit / ellipsoid.semiaxes, by: ellipsoid.rotation) * (scale / radius)
    return ((radius - 1) * scale, gradient)
  }
}

/// The smooth minimum of two values, and the fraction of the second in its gradient.
@inline(__always)
func smoothMinimum(_ a: Double, _ b: Double, _ blend: Double) -> (value: Double, share: Double) {
  let difference = a - b
  if difference >= blend { return (b, 1) }
  if difference <= -blend { return (a, 0) }
  let overlap = (blend - abs(difference)) / blend
  return (min(a, b) - overlap * overlap * blend / 4, 0.5 + 0.5 * difference / blend)
}
