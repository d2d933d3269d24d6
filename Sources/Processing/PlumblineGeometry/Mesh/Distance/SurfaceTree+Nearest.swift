import PlumblineModel

extension SurfaceTree {
  /// The part of a triangle that is nearest to a point.
  private enum Feature {
    case face
    case edge(Int)
    case corner(Int)
  }

  /// The nearest point of one triangle, in double precision.
  func nearest(to point: SIMD3<Double>, on triangle: Int) -> NearestPoint {
    let corners = mesh.triangles[triangle]
    let a = mesh.positions[corners[0]].vector
    let b = mesh.positions[corners[1]].vector
    let c = mesh.positions[corners[2]].vector
    let (position, feature) = Self.nearest(to: point, a, b, c)
    let offset = point - position
    let distance = (offset * offset).sum().squareRoot()
    let (normal, isOnBorder) = outward(triangle, feature)
    let isInside = (normal * offset).sum() < 0
    return NearestPoint(
      triangle: triangle, position: position, signedDistance: isInside ? -distance : distance,
      isOnBorder: isOnBorder)
  }

  /// The direction out of the surface at a part of a triangle, and whether the surface ends there.
  private func outward(_ triangle: Int, _ feature: Feature) -> (SIMD3<Double>, isOnBorder: Bool) {
    switch feature {
    case .face: return (unitNormal(triangle), false)
    case .edge(let corner):
      let twin = twins[3 * triangle + corner]
      let own = unitNormal(triangle)
      return twin < 0 ? (own, isLonely(triangle, corner)) : (own + unitNormal(Int(twin) / 3), false)
    case .corner(let corner):
      let vertex = mesh.triangles[triangle][corner]
      return (vertexNormals[vertex], isBorder[vertex])
    }
  }

  /// Whether an edge without a twin is at a border, and not one of three triangles.
  private func isLonely(_ triangle: Int, _ corner: Int) -> Bool {
    isBorder[mesh.triangles[triangle][corner]]
      && isBorder[mesh.triangles[triangle][(corner + 1) % 3]]
  }

  private func unitNormal(_ triangle: Int) -> SIMD3<Double> {
    let vector = mesh.doubledAreaVector(of: mesh.triangles[triangle])
    let length = (vector * vector).sum().squareRoot()
    return length > .leastNormalMagnitude ? vector / length : .zero
  }

  /// The nearest point of a triangle, which may be without area.
  ///
  /// - Source: C. Ericson, *Real-time collision detection*, 2005, 5.1.5.
  private static func nearest(
    to point: SIMD3<Double>, _ a: SIMD3<Double>, _ b: SIMD3<Double>, _ c: SIMD3<Double>
  ) -> (SIMD3<Double>, Feature) {
    let (ab, ac) = (b - a, c - a)
    let (d1, d2) = ((ab * (point - a)).sum(), (ac * (point - a)).sum())
    if d1 <= 0, d2 <= 0 { return (a, .corner(0)) }
    let (d3, d4) = ((ab * (point - b)).sum(), (ac * (point - b)).sum())
    if d3 >= 0, d4 <= d3 { return (b, .corner(1)) }
    let (d5, d6) = ((ab * (point - c)).sum(), (ac * (point - c)).sum())
    if d6 >= 0, d5 <= d6 { return (c, .corner(2)) }
    let vc = d1 * d4 - d3 * d2
    if vc <= 0, d1 >= 0, d3 <= 0 { return (a + ab * (d1 / (d1 - d3)), .edge(0)) }
    let vb = d5 * d2 - d1 * d6
    if vb <= 0, d2 >= 0, d6 <= 0 { return (a + ac * (d2 / (d2 - d6)), .edge(2)) }
    let va = d3 * d6 - d5 * d4
    if va <= 0, d4 >= d3, d5 >= d6 {
      return (b + (c - b) * ((d4 - d3) / ((d4 - d3) + (d5 - d6))), .edge(1))
    }
    let sum = va + vb + vc
    return (a + ab * (vb / sum) + ac * (vc / sum), .face)
  }
}
