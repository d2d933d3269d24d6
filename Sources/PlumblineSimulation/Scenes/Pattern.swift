/// A pattern of paint on a surface.
public enum Pattern: Sendable {
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
