/// The sum of squared distances of a point from planes, each times its weight: xᵀAx + 2bᵀx + c.
///
/// - Source: M. Garland, P. Heckbert, *Surface simplification using quadric error metrics*, 1997.
struct Quadric {
  var diagonal = SIMD3<Double>.zero
  /// The entries `yz`, `xz` and `xy` of A.
  var others = SIMD3<Double>.zero
  var linear = SIMD3<Double>.zero
  var constant = 0.0
  /// The sum of the weights, in m².
  var weight = 0.0

  /// How strongly a point that the planes leave free is held at a given one, as a share of A's trace.
  ///
  /// It moves the corner of a cube by a millionth of an edge, and keeps the equations solvable on a plane.
  static let hold = 1e-6

  /// Adds a plane through a point.
  ///
  /// - Precondition: The normal is of unit length.
  mutating func add(normal: SIMD3<Double>, through point: SIMD3<Double>, weight: Double) {
    let offset = -(normal * point).sum()
    let scaled = normal * weight
    diagonal += scaled * normal
    others += SIMD3(scaled.y * normal.z, scaled.x * normal.z, scaled.x * normal.y)
    linear += scaled * offset
    constant += weight * offset * offset
    self.weight += weight
  }

  static func + (one: Quadric, other: Quadric) -> Quadric {
    Quadric(
      diagonal: one.diagonal + other.diagonal, others: one.others + other.others,
      linear: one.linear + other.linear, constant: one.constant + other.constant,
      weight: one.weight + other.weight)
  }

  /// A·x.
  @inline(__always)
  private func product(_ x: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(
      diagonal.x * x.x + others.z * x.y + others.y * x.z,
      others.z * x.x + diagonal.y * x.y + others.x * x.z,
      others.y * x.x + others.x * x.y + diagonal.z * x.z)
  }

  /// The sum at a point, in m⁴; not below 0.
  @inline(__always)
  func value(_ x: SIMD3<Double>) -> Double {
    max(0, (x * (product(x) + 2 * linear)).sum() + constant)
  }

  /// The point of the least sum, held at another one where the planes leave it free.
  ///
  /// Solved by cofactors of A + λI with λ = ``hold`` · trace, which is positive.
  @inline(__always)
  func minimum(near middle: SIMD3<Double>) -> SIMD3<Double> {
    let trace = diagonal.sum()
    guard trace > 0 else { return middle }
    let gradient = product(middle) + linear
    let d = diagonal + SIMD3(repeating: Self.hold * trace)
    let (yz, xz, xy) = (others.x, others.y, others.z)
    let first = SIMD3(d.y * d.z - yz * yz, xz * yz - xy * d.z, xy * yz - xz * d.y)
    let determinant = d.x * first.x + xy * first.y + xz * first.z
    guard determinant > 0 else { return middle }
    let second = SIMD3(first.y, d.x * d.z - xz * xz, xy * xz - d.x * yz)
    let third = SIMD3(first.z, second.z, d.x * d.y - xy * xy)
    let step = SIMD3(
      (first * gradient).sum(), (second * gradient).sum(), (third * gradient).sum())
    return middle - step / determinant
  }
}
