/// A measured point with the errors that move it.
///
/// Its own error moves it along its ray: by (x/z, y/z, 1)·δz with σ of δz = ``sensorSigma``; where no ray
/// is known, along some direction. Those that it shares with all points of the capture are
/// ``SharedErrors``.
package struct MeasurementPoint: Hashable, Sendable {
  /// The direction of a point's own error.
  package enum ErrorDirection: Hashable, Sendable {
    /// Along its ray from the camera, so that `z` errs by σ.
    case ray
    /// Along one that is not known: every number counts it as along its own gradient, which is the most
    /// that any direction gives.
    case unknown
  }

  /// The point in meters: with a ray in the camera frame (`x` right, `y` down, `z` forward; `z` above 0),
  /// else in any frame.
  package var position: SIMD3<Double>
  /// One standard deviation of the error that only this point has, in meters: with a ray that of `z`, else
  /// along its direction; `nil` when unknown.
  package var sensorSigma: Double?
  /// The direction of that error.
  package var direction: ErrorDirection

  /// Creates a point.
  ///
  /// - Precondition: With a ray, `z` is above 0.
  package init(
    position: SIMD3<Double>, sensorSigma: Double?, direction: ErrorDirection = .ray
  ) {
    precondition(
      direction != .ray || position.z > 0,
      "a point of depth \(position.z) is not before the camera")
    self.position = position
    self.sensorSigma = sensorSigma
    self.direction = direction
  }

  /// How the position moves when `z` grows by one meter: the ray with `z = 1`.
  ///
  /// It has no meaning where no ray is known.
  var ray: SIMD3<Double> { position / position.z }

  /// By how much a number changes by one standard deviation of the point's own error.
  ///
  /// - Parameter gradient: The number's derivatives by the coordinates.
  /// - Returns: In the number's unit; `nil` when unknown.
  func change(along gradient: SIMD3<Double>) -> Double? {
    sensorSigma.map { sigma in
      switch direction {
      case .ray: gradient.dot(ray) * sigma
      case .unknown: gradient.dot(gradient).squareRoot() * sigma
      }
    }
  }

  /// How far the position moves by one standard deviation of its own error, in meters; `nil` when unknown.
  var movement: Double? {
    sensorSigma.map { direction == .ray ? $0 * ray.dot(ray).squareRoot() : $0 }
  }

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
