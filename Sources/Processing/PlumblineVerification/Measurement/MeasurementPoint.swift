/// A measured point with the errors that move it.
///
/// Its own error moves it along its ray: by (x/z, y/z, 1)·δz with σ of δz = ``sensorSigma``. Those that
/// it shares with all points of the capture are ``SharedErrors``.
package struct MeasurementPoint: Hashable, Sendable {
  /// The point in the camera frame (`x` right, `y` down, `z` forward), in meters; `z` above 0.
  package var position: SIMD3<Double>
  /// One standard deviation of the error of `z` that only this point has, in meters; `nil` when
  /// unknown.
  package var sensorSigma: Double?

  /// Creates a point.
  ///
  /// - Precondition: `z` is above 0.
  package init(position: SIMD3<Double>, sensorSigma: Double?) {
    precondition(position.z > 0, "a point of depth \(position.z) is not before the camera")
    self.position = position
    self.sensorSigma = sensorSigma
  }

  /// How the position moves when `z` grows by one meter: the ray with `z = 1`.
  var ray: SIMD3<Double> { position / position.z }

  /// The coordinates of the point with their ±, in meters: `x`, `y` and `z`.
  package func coordinates(_ shared: SharedErrors) -> [MeasuredValue] {
    let axes: [SIMD3<Double>] = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    return axes.map { axis in
      var errors = ErrorSum(shared)
      errors.add(axis, at: self)
      return errors.value(position.dot(axis), .meters)
    }
  }
}

extension SIMD3<Double> {
  /// The sum of the products of the coordinates.
  func dot(_ other: SIMD3) -> Double { (self * other).sum() }

  /// The vector product.
  func cross(_ other: SIMD3) -> SIMD3 {
    [y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x]
  }
}
