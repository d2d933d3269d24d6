package import PlumblineModel

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

extension Rotation {
  /// The nearest rotation with two given columns, made orthogonal to the same degree each.
  init?(nearX x: SIMD3<Double>, nearY y: SIMD3<Double>) {
    guard let unitX = x.unit, let unitY = y.unit, let normal = unitX.cross(unitY).unit,
      let half = (unitX + unitY).unit
    else { return nil }
    let across = normal.cross(half)
    let root = 0.5.squareRoot()
    self.init(x: (half - across) * root, y: (half + across) * root, z: normal)
  }

  /// The rotation with rounding errors of many products removed.
  var orthogonalized: Rotation { Rotation(nearX: x, nearY: y) ?? self }

  /// The angle between two orientations in radians.
  package func angle(to other: Rotation) -> Double {
    let rest = inverse * other
    let sine = SIMD3(rest.y.z - rest.z.y, rest.z.x - rest.x.z, rest.x.y - rest.y.x) / 2
    return atan2((sine * sine).sum().squareRoot(), (rest.x.x + rest.y.y + rest.z.z - 1) / 2)
  }
}

extension SIMD3<Double> {
  /// The cross product.
  package func cross(_ other: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
  }

  /// The vector at length 1, or `nil` for none.
  package var unit: SIMD3<Double>? {
    let length = (self * self).sum().squareRoot()
    guard length > 0, length.isFinite else { return nil }
    return self / length
  }
}
