/// A surface that a ray can hit.
package protocol SceneSurface: Sendable {
  /// A bounding ball of the surface; `nil` if there is none, as for a plane.
  var bounds: BoundingBall? { get }

  /// The ray parameter of the first hit; `nil` when the ray misses.
  func firstHit(of ray: Ray) -> Double?

  /// The outward unit normal at a point of the surface.
  func normal(at point: SIMD3<Double>) -> SIMD3<Double>

  /// The distance of a point from the surface in meters, negative inside of the body.
  ///
  /// A sheet has no inside: its distances are never negative.
  func signedDistance(to point: SIMD3<Double>) -> Double

  /// The paint at a point of the surface.
  func paint(at point: SIMD3<Double>) -> Paint

  /// The mean paint over the parallelogram that a pixel covers around a point of the surface.
  ///
  /// - Parameters:
  ///   - point: The center of the pixel's area on the surface.
  ///   - stepX: The step to the point of the next pixel on the right, in meters.
  ///   - stepY: The step to the point of the next pixel below, in meters.
  /// - Returns: The paint at the point, unless the surface has a better method.
  func meanPaint(
    around point: SIMD3<Double>, stepX: SIMD3<Double>, stepY: SIMD3<Double>
  ) -> Paint

  /// The fraction of light that passes from a point to a light, 0 to 1.
  ///
  /// - Parameters:
  ///   - ray: A ray from the lit point; the parameter 1 is the light's center.
  ///   - lightRadius: The light's radius in meters; a larger one makes softer shadows.
  /// - Returns: 0 for full shadow, 1 for none.
  func transmission(along ray: Ray, lightRadius: Double) -> Double

  /// The fraction of the ambient light that reaches a point of any surface, 0 to 1.
  func ambientAccess(at point: SIMD3<Double>, normal: SIMD3<Double>) -> Double
}

/// A bounding ball of a surface, for fast rejection of rays.
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

  /// Whether a ray's line comes near; a tolerance of 1e-6 avoids losing a hit by rounding.
  @inline(__always)
  func isNear(_ ray: Ray, squaredSpeed: Double) -> Bool {
    let offset = center - ray.origin
    let along = dot(offset, ray.direction)
    let reach = radius * radius * 1.000_001
    return dot(offset, offset) * squaredSpeed - along * along <= reach * squaredSpeed
  }
}

extension SceneSurface {
  /// Not bounded.
  package var bounds: BoundingBall? { nil }

  /// The paint at the point itself, which suits slowly varying paint.
  package func meanPaint(
    around point: SIMD3<Double>, stepX: SIMD3<Double>, stepY: SIMD3<Double>
  ) -> Paint { paint(at: point) }

  /// Blocks light completely or not at all: a hard shadow.
  package func transmission(along ray: Ray, lightRadius: Double) -> Double {
    guard let parameter = firstHit(of: ray) else { return 1 }
    return parameter < 1 ? 0 : 1
  }

  /// Does not reduce ambient light.
  package func ambientAccess(at point: SIMD3<Double>, normal: SIMD3<Double>) -> Double { 1 }
}

/// The optical properties of a surface: linear reflectance of red, green and blue, and gloss.
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

  /// A mixture of two paints: 0 gives this one, 1 the other.
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
  /// A 3D checkerboard of two paints, so that every planar cut shows a checkerboard.
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
    // The cubic 3t² − 2t³ has zero slope at the grid points, so cells are not visible.
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
