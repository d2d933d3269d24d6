import PlumblineModel
import PlumblineNumerics
internal import PlumblineVision

/// Two cameras a length of 1 apart, and how far rays of one point miss each other.
///
/// Rays are given as `(x, y, 1)` in each camera's own frame.
struct EpipolarModel: Sendable {
  /// A point's rays in both cameras.
  struct Rays: Sendable {
    var left: SIMD3<Double>
    var right: SIMD3<Double>
  }

  /// `rightFromLeft`'s rotation.
  var rotation: Rotation
  /// `rightFromLeft`'s translation, of length 1.
  var direction: SIMD3<Double>

  /// The first-order distance of two rays from ones that meet, in units of `(x, y, 1)`'s plane.
  ///
  /// - Source: P. D. Sampson, CGIP 18 (1982) 97–108; for epipolar geometry R. Hartley and
  ///   A. Zisserman, *Multiple View Geometry*, 2nd ed., eq. 11.9.
  func sampsonDistance(_ rays: Rays) -> Double {
    let turned = rotation * rays.left
    let lineInRight = direction.cross(turned)
    let lineInLeft = rotation.inverse * rays.right.cross(direction)
    let steepness =
      lineInRight.x * lineInRight.x + lineInRight.y * lineInRight.y + lineInLeft.x * lineInLeft.x
      + lineInLeft.y * lineInLeft.y
    let error = (rays.right * lineInRight).sum()
    return steepness > 0 ? error / steepness.squareRoot() : 0
  }

  /// The depth of the point in the left camera in units of the baseline, where the right ray meets
  /// the left one most nearly; `nil` for parallel rays.
  func leftDepth(_ rays: Rays) -> Double? {
    let across = rays.right.cross(rotation * rays.left)
    let size = (across * across).sum()
    guard size > 0 else { return nil }
    return -(rays.right.cross(direction) * across).sum() / size
  }

  /// Whether a point lies before both cameras.
  func isInFront(_ rays: Rays) -> Bool {
    guard let depth = leftDepth(rays), depth > 0 else { return false }
    return (rotation * rays.left * depth + direction).z > 0
  }

  /// How far the right ray lies from the left one's point at infinity towards where nearer points are
  /// seen, in units of `(x, y, 1)`'s plane: above 0 for a point before both cameras.
  ///
  /// Unlike a depth it is linear in the right ray, so that its noise is that of the points; 0 where the
  /// left ray runs along the translation.
  func parallax(_ rays: Rays) -> Double {
    let turned = rotation * rays.left
    guard turned.z > 0 else { return -.infinity }
    let infinity = SIMD2(turned.x, turned.y) / turned.z
    let towards = SIMD2(direction.x, direction.y) - infinity * direction.z
    let length = (towards * towards).sum().squareRoot()
    let moved = SIMD2(rays.right.x, rays.right.y) - infinity
    return length > 0 ? (moved * towards).sum() / length : 0
  }

  /// The model after a turn, in radians about three axes, and a move of the direction along its two
  /// tangents; `nil` where that is no model.
  func moved(by step: [Double]) -> EpipolarModel? {
    let basis = tangents
    guard let turn = Rotation(axisAngle: SIMD3(step[0], step[1], step[2])),
      let direction = (direction + step[3] * basis.first + step[4] * basis.second).unit
    else { return nil }
    return EpipolarModel(rotation: turn * rotation, direction: direction)
  }

  /// The model moved so that rays meet better: Gauss–Newton steps over the rotation's three and the
  /// direction's two parameters, weighted by `weight` of each distance.
  ///
  /// - Parameters:
  ///   - rays: Five or more.
  ///   - steps: The most steps.
  ///   - weight: 1 for plain least squares.
  /// - Returns: The model, and the inverse of the last normal matrix; `nil` where it is lost.
  func refined(
    _ rays: [Rays], steps: Int, weight: (Double) -> Double = { _ in 1 }
  ) -> (model: EpipolarModel, inverse: SymmetricMatrix)? {
    var model = self
    var inverse: SymmetricMatrix?
    for _ in 0..<steps {
      let basis = model.tangents
      var normal = SymmetricMatrix(count: 5)
      var right = [Double](repeating: 0, count: 5)
      for pair in rays {
        let row = model.row(pair, basis)
        let share = weight(row.distance)
        for i in 0..<5 {
          for j in i..<5 { normal.values[5 * i + j] += share * row.slopes[i] * row.slopes[j] }
          right[i] -= share * row.slopes[i] * row.distance
        }
      }
      for i in 0..<5 { for j in 0..<i { normal.values[5 * i + j] = normal.values[5 * j + i] } }
      // Five rays need no damping; a little keeps a plane's or a turn's lost directions finite.
      guard let factor = normal.damped(by: 1e-9).cholesky else { return nil }
      let step = factor.solve(right)
      let turn = SIMD3(step[0], step[1], step[2])
      let size = (turn * turn).sum() + step[3] * step[3] + step[4] * step[4]
      guard size.isFinite else { return nil }
      let share = size > 0.25 ? 0.5 / size.squareRoot() : 1
      guard let rotation = Rotation(axisAngle: turn * share),
        let direction =
          (model.direction
          + share * (step[3] * basis.first + step[4] * basis.second)).unit
      else { return nil }
      model = EpipolarModel(rotation: rotation * model.rotation, direction: direction)
      inverse = factor.inverse
      if size < 1e-20 { break }
    }
    return inverse.map { (model, $0) }
  }

  /// Two directions at right angles to the translation and to each other.
  var tangents: (first: SIMD3<Double>, second: SIMD3<Double>) {
    let axis: SIMD3<Double> =
      abs(direction.x) < 0.6 ? [1, 0, 0] : abs(direction.y) < 0.6 ? [0, 1, 0] : [0, 0, 1]
    let first = direction.cross(axis).unit ?? [0, 1, 0]
    return (first, direction.cross(first))
  }

  /// A pair's distance and its slopes; the steepness counts as constant, whose slope is second order
  /// in the distance.
  func row(
    _ rays: Rays, _ basis: (first: SIMD3<Double>, second: SIMD3<Double>)
  ) -> (distance: Double, slopes: SIMD8<Double>) {
    let turned = rotation * rays.left
    let lineInRight = direction.cross(turned)
    let throughRight = rays.right.cross(direction)
    let lineInLeft = rotation.inverse * throughRight
    let steepness =
      lineInRight.x * lineInRight.x + lineInRight.y * lineInRight.y + lineInLeft.x * lineInLeft.x
      + lineInLeft.y * lineInLeft.y
    guard steepness > 0 else { return (0, .zero) }
    let scale = 1 / steepness.squareRoot()
    // r · (t × y) with y = R·l: its slope for a turn ω is ω · (y × (r × t)), for t it is y × r.
    let ofTurn = turned.cross(throughRight) * scale
    let ofDirection = turned.cross(rays.right) * scale
    return (
      (rays.right * lineInRight).sum() * scale,
      SIMD8(
        ofTurn.x, ofTurn.y, ofTurn.z, (ofDirection * basis.first).sum(),
        (ofDirection * basis.second).sum(), 0, 0, 0)
    )
  }
}
