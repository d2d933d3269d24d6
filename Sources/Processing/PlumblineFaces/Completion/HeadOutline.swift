/// The surface that the backs of people's heads and necks lie near, in the head's frame: a rounded skull above a neck
/// that is cut off.
///
/// - Source: measured on the mean head of ICT-FaceKit, `generic_neutral_mesh.obj`, parts *Face* and *Head and neck*: a
///   skull of 160 mm width and 195 mm length, a neck of 108 to 124 mm width. Men's heads are 199 ± 7 mm long and
///   154 ± 6 mm wide (U.S. Army, *ANSUR II*, 2012).
struct HeadOutline {
  /// How much wider, higher and deeper than the mean head's this one is.
  let scale: SIMD3<Double>
  /// Where the mean head's origin lies, meters.
  let origin: SIMD3<Double>

  /// The border of the mean head's face, millimeters: its mean distance from the middle plane, its height, its lower
  /// end, and its mean depth, each weighted by length.
  private static let border = (width: 57.88, height: 288.46, low: -164.74, depth: 9.89)

  /// The outline behind a face; O(*n*).
  ///
  /// - Parameter border: The border of the face, a closed line in the head's frame, meters.
  /// - Returns: `nil` for a border without width or height.
  static func fitted(to border: [SIMD3<Double>]) -> HeadOutline? {
    guard border.count > 2 else { return nil }
    var (total, middle, width) = (0.0, SIMD3<Double>.zero, 0.0)
    let weights = border.indices.map { index in
      let (last, next) = (
        border[(index + border.count - 1) % border.count], border[(index + 1) % border.count]
      )
      return ((border[index] - last).norm + (next - border[index]).norm) / 2
    }
    for (point, weight) in zip(border, weights) {
      total += weight
      middle += point * weight
    }
    guard total > 0 else { return nil }
    middle /= total
    for (point, weight) in zip(border, weights) {
      width += abs(point.x - middle.x) * weight / total
    }
    let (low, high) = (border.map(\.y).min() ?? 0, border.map(\.y).max() ?? 0)
    guard width > 0, high > low else { return nil }
    let mean = Self.border
    let (wide, tall) = (1000 * width / mean.width, 1000 * (high - low) / mean.height)
    let scale = SIMD3(wide, tall, (wide + tall) / 2)
    let own = SIMD3(middle.x, low, middle.z)
    return HeadOutline(
      scale: scale, origin: own - scale * SIMD3(0, mean.low, mean.depth) / 1000)
  }

  /// Whether a point of the border lies where the neck is cut off, so that there is an edge.
  func isCut(_ point: SIMD3<Double>) -> Bool { millimeters(point).y < Self.cutHeight }

  /// The point of the outline near another one, meters.
  func near(_ point: SIMD3<Double>) -> SIMD3<Double> {
    origin + scale * Self.near(millimeters(point)) / 1000
  }

  private func millimeters(_ point: SIMD3<Double>) -> SIMD3<Double> {
    (point - origin) / scale * 1000
  }
}

/// The outline of the mean head, in millimeters of its frame.
extension HeadOutline {
  /// Below this height the border is that of the neck's end.
  private static let cutHeight = -130.0
  /// The height of the plane that cuts the neck off.
  private static let endHeight = -161.0
  /// The middle of the skull.
  private static let middle = SIMD3(0, 57.0, 0)
  /// The exponent of the skull's shape: an ellipsoid has 2.
  private static let exponent = 2.2
  /// By height: how far back the neck reaches.
  private static let nape: [SIMD2<Double>] = [
    [-164, -98], [-149, -92], [-125, -81], [-88, -62], [-60, -57], [-39, -57.5], [-23, -57],
  ]
  /// By height: half the width of the neck.
  private static let width: [SIMD2<Double>] = [
    [-164, 58], [-150, 60], [-116, 62], [-98, 59], [-78, 54], [-58, 52], [-40, 54], [0, 62],
  ]
  /// By height: the depth at which the neck is widest.
  private static let axis: [SIMD2<Double>] = [
    [-164, -25], [-116, -18], [-78, -14], [-40, -5], [60, 0],
  ]
  /// Over how many millimeters the skull goes over into the neck.
  private static let blend = 16.0

  private static func near(_ point: SIMD3<Double>) -> SIMD3<Double> {
    let skull = onSkull(point)
    let neck = onNeck(point)
    // Above the ears there is no neck.
    let neckDistance = neck.distance + 0.7 * max(0, point.y + 20)
    let distance = min(skull.distance, neckDistance)
    let toEnd = endHeight - point.y
    if point.y < -60, toEnd > min(distance, 0), toEnd > distance {
      let share = max(1, neck.share)
      let depth = value(of: axis, at: point.y)
      return SIMD3(point.x / share, endHeight, depth + (point.z - depth) / share)
    }
    let share = min(1, max(0, 0.5 + (neckDistance - skull.distance) / (2 * blend)))
    return skull.point * share + neck.point * (1 - share)
  }

  /// A point of the skull on the line from its middle, and how far outside of it a point lies.
  private static func onSkull(
    _ point: SIMD3<Double>
  ) -> (point: SIMD3<Double>, distance: Double) {
    let way = point - middle
    let axes = SIMD3<Double>(80, way.y > 0 ? 89 : 100, way.z < 0 ? 87 : 108)
    let shares = way / axes
    let sum = (0..<3).reduce(0) { $0 + power(abs(shares[$1]), exponent) }
    let share = max(power(sum, 1 / exponent), 1e-6)
    let nearest = middle + way / share
    return (nearest, (point - nearest).norm * (share < 1 ? -1 : 1))
  }

  /// The same of the neck, at the point's own height; `share` is how far out it lies, 1 on the surface.
  private static func onNeck(
    _ point: SIMD3<Double>
  ) -> (point: SIMD3<Double>, distance: Double, share: Double) {
    let depth = value(of: axis, at: point.y)
    let shares = SIMD2(
      point.x / value(of: width, at: point.y),
      (point.z - depth) / (depth - value(of: nape, at: point.y)))
    let share = max((shares * shares).sum().squareRoot(), 1e-6)
    let nearest = SIMD3(point.x / share, point.y, depth + (point.z - depth) / share)
    return (nearest, (point - nearest).norm * (share < 1 ? -1 : 1), share)
  }

  /// The value of a table between its rows, and that of its first or last row beyond them.
  private static func value(of table: [SIMD2<Double>], at height: Double) -> Double {
    guard let after = table.firstIndex(where: { $0.x > height }) else {
      return table[table.count - 1].y
    }
    guard after > 0 else { return table[0].y }
    let (low, high) = (table[after - 1], table[after])
    return low.y + (high.y - low.y) * (height - low.x) / (high.x - low.x)
  }
}
