/// Something that a ray can meet.
package protocol SceneSurface: Sendable {
  /// A ball around everything that a ray can meet; `nil` when there is none, as for a plane.
  var bounds: BoundingBall? { get }

  /// The parameter of the first point ahead of the ray's origin; `nil` when it misses.
  func firstHit(of ray: Ray) -> Double?

  /// The outward unit normal at a point of the surface.
  func normal(at point: SIMD3<Double>) -> SIMD3<Double>

  /// The paint at a point of the surface.
  func paint(at point: SIMD3<Double>) -> Paint

  /// The mean paint over the parallelogram that a pixel covers around a point of the surface.
  ///
  /// - Parameters:
  ///   - point: The middle of the pixel's part of the surface.
  ///   - stepX: How far the next pixel to the right sees from there, in meters.
  ///   - stepY: How far the next pixel below sees from there, in meters.
  /// - Returns: The paint at the point, unless the surface knows better.
  func meanPaint(
    around point: SIMD3<Double>, stepX: SIMD3<Double>, stepY: SIMD3<Double>
  ) -> Paint

  /// The share of light that passes on the way from a point to a light, 0 to 1.
  ///
  /// - Parameters:
  ///   - ray: From the lit point; the parameter 1 is the light's center.
  ///   - lightRadius: The light's radius in meters; a larger one makes softer shadows.
  /// - Returns: 0 for full shadow, 1 for none.
  func transmission(along ray: Ray, lightRadius: Double) -> Double

  /// The share of the ambient light that reaches a point of any surface, 0 to 1.
  func ambientAccess(at point: SIMD3<Double>, normal: SIMD3<Double>) -> Double
}

/// A ball that holds a surface, to pass it by quickly.
package struct BoundingBall: Hashable, Sendable {
  /// Its center, in meters.
  package var center: SIMD3<Double>
  /// Its radius in meters.
  package var radius: Double

  /// Creates a ball.
  package init(center: SIMD3<Double>, radius: Double) {
    self.center = center
    self.radius = radius
  }

  /// Whether a ray's line comes near; a millionth of slack keeps rounding from losing a hit.
  @inline(__always)
  func isNear(_ ray: Ray, squaredSpeed: Double) -> Bool {
    let offset = center - ray.origin
    let along = dot(offset, ray.direction)
    let reach = radius * radius * 1.000_001
    return dot(offset, offset) * squaredSpeed - along * along <= reach * squaredSpeed
  }
}

extension SceneSurface {
  /// Unbounded.
  package var bounds: BoundingBall? { nil }

  /// The paint at the point itself, as for paint that changes slowly.
  package func meanPaint(
    around point: SIMD3<Double>, stepX: SIMD3<Double>, stepY: SIMD3<Double>
  ) -> Paint { paint(at: point) }

  /// Blocks light wholly or not at all: a hard shadow.
  package func transmission(along ray: Ray, lightRadius: Double) -> Double {
    guard let parameter = firstHit(of: ray) else { return 1 }
    return parameter < 1 ? 0 : 1
  }

  /// Takes no ambient light away.
  package func ambientAccess(at point: SIMD3<Double>, normal: SIMD3<Double>) -> Double { 1 }
}

/// What a surface does with light: linear reflectance of red, green and blue, and a sheen.
package struct Paint: Hashable, Sendable {
  /// The diffuse reflectance, 0 to 1, linear.
  package var albedo: SIMD3<Double>
  /// The strength of the highlight, 0 for a matte surface.
  package var gloss: Double

  /// Creates a paint.
  package init(albedo: SIMD3<Double>, gloss: Double = 0) {
    self.albedo = albedo
    self.gloss = gloss
  }

  /// A paint between two: 0 gives this one, 1 the other.
  func mixed(with other: Paint, share: Double) -> Paint {
    Paint(
      albedo: albedo + (other.albedo - albedo) * share, gloss: gloss + (other.gloss - gloss) * share
    )
  }
}

/// A pattern of paint on a surface.
package enum Pattern: Sendable {
  /// One paint everywhere.
  case uniform(Paint)
  /// Cubes of two paints in turn, so that any plane through them shows a checkerboard.
  case checker(Paint, Paint, edge: Double)
  /// Two paints mixed by smooth noise whose blobs have a typical size in meters on each axis.
  case mottled(Paint, Paint, blobs: SIMD3<Double>)

  /// The paint at a point of the scene.
  func paint(at point: SIMD3<Double>) -> Paint {
    switch self {
    case .uniform(let paint): return paint
    case .checker(let even, let odd, let edge):
      let cell = (point / edge).rounded(.down)
      let sum = Int(cell.x) &+ Int(cell.y) &+ Int(cell.z)
      return sum & 1 == 0 ? even : odd
    case .mottled(let first, let second, let blobs):
      let coarse = ValueNoise.value(at: point / blobs)
      let fine = ValueNoise.value(at: point / blobs * 2.7 + 31.4)
      return first.mixed(with: second, share: (2 * coarse + fine) / 3)
    }
  }
}

/// Smooth noise between 0 and 1: random values on a unit grid, smoothly interpolated.
enum ValueNoise {
  static func value(at point: SIMD3<Double>) -> Double {
    let cell = point.rounded(.down)
    let part = point - cell
    // The cubic 3t² − 2t³ has no slope at the grid, so cells do not show.
    let weight = part * part * (3 - 2 * part)
    let (x, y, z) = (Int64(cell.x), Int64(cell.y), Int64(cell.z))
    func edge(_ y: Int64, _ z: Int64) -> Double {
      let left = random(x, y, z)
      return left + (random(x &+ 1, y, z) - left) * weight.x
    }
    func face(_ z: Int64) -> Double {
      let top = edge(y, z)
      return top + (edge(y &+ 1, z) - top) * weight.y
    }
    let near = face(z)
    return near + (face(z &+ 1) - near) * weight.z
  }

  private static func random(_ x: Int64, _ y: Int64, _ z: Int64) -> Double {
    let mixed =
      UInt64(bitPattern: x) &* 0x9e37_79b9_7f4a_7c15 ^ UInt64(bitPattern: y)
      &* 0xc2b2_ae3d_27d4_eb4f ^ UInt64(bitPattern: z) &* 0x1656_67b1_9e37_79f9
    var generator = SeededGenerator(seed: mixed)
    return generator.uniform()
  }
}
