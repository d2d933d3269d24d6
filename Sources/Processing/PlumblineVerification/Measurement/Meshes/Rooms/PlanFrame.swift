/// The axes of a plan: two level ones, and the one that points up.
package struct PlanFrame: Sendable, Hashable {
  /// The unit vector up, in the frame of the surface.
  package let up: SIMD3<Double>
  /// The plan's first axis, level.
  package let x: SIMD3<Double>
  /// The plan's second axis, level; counter-clockwise from the first, seen from above.
  package let y: SIMD3<Double>

  /// The frame with an axis up; the first axis is level and otherwise any.
  ///
  /// - Precondition: `up` is not zero.
  package init(up: SIMD3<Double>) {
    let up = up.unit
    precondition(up != .zero, "no direction up")
    self.init(up: up, x: up.axesAcross.0)
  }

  private init(up: SIMD3<Double>, x: SIMD3<Double>) {
    self.up = up
    self.x = x
    y = up.cross(x)
  }

  /// A place seen from above, in meters.
  package func place(of point: SIMD3<Double>) -> SIMD2<Double> { [point.dot(x), point.dot(y)] }

  /// The frame turned so that a direction of the plan becomes its first axis.
  func turned(to direction: SIMD2<Double>) -> PlanFrame {
    PlanFrame(up: up, x: (x * direction.x + y * direction.y).unit)
  }
}

extension SIMD2<Double> {
  /// The sum of the products of the coordinates.
  func dot(_ other: SIMD2) -> Double { (self * other).sum() }

  /// The area that this and another vector span, above 0 where the other is counter-clockwise.
  func cross(_ other: SIMD2) -> Double { x * other.y - y * other.x }

  /// The Euclidean length.
  var norm: Double { dot(self).squareRoot() }

  /// The vector turned by 90° counter-clockwise.
  var turnedLeft: SIMD2 { [-y, x] }
}
