/// A plane that cuts a mesh, by a point and a normal, in meters in the mesh's frame.
public struct SectionPlane: Hashable, Sendable {
  /// A point of the plane.
  public var point: SIMD3<Double>
  /// The normal, of any length but 0.
  public var normal: SIMD3<Double>

  /// Creates a plane; `nil` for a normal of zero or numbers that are not finite.
  public init?(point: SIMD3<Double>, normal: SIMD3<Double>) {
    let size = (normal * normal).sum()
    guard size > 0, size.isFinite, (point * point).sum().isFinite else { return nil }
    self.point = point
    self.normal = normal
  }
}

extension SectionPlane: CustomStringConvertible {
  /// The plane as the command line writes it: `z=1.2` across an axis, else `X,Y,Z:NX,NY,NZ`.
  public var description: String {
    for (axis, name) in ["x", "y", "z"].enumerated() {
      var unit = SIMD3<Double>.zero
      unit[axis] = 1
      var place = SIMD3<Double>.zero
      place[axis] = point[axis]
      if normal == unit, point == place { return "\(name)=\(point[axis].shortest)" }
    }
    return point.coordinates + ":" + normal.coordinates
  }
}
