import PlumblineModel

/// The plane that fits measured points best, with its ± in parts.
///
/// A plane that the camera sees from outside is `q·p = 1`, with q its coefficients: the normal over the
/// distance from the camera. A plane's ± is that of q.
package struct PlaneMeasurement: Sendable {
  /// q, in 1/m.
  let coefficients: SIMD3<Double>
  /// The covariance of q by the errors that are each point's own, as columns, in 1/m².
  let covariance: [SIMD3<Double>]
  /// By how much q changes by one standard deviation of each shared error, in 1/m.
  let sharedChanges: [SIMD3<Double>]
  /// The number of points.
  package let count: Int
  /// How much the points scatter about the plane over what their ± says; `nil` where that is unknown.
  package let noiseRatio: Double?
  /// The root of the mean square of the distances from the plane, in meters, and one standard deviation
  /// of it by the points' own errors.
  let flatnessMeters: (value: Double, sigma: Double)

  /// The length of q, in 1/m: one over the distance from the camera.
  var size: Double { coefficients.dot(coefficients).squareRoot() }
  /// The unit vector away from the camera.
  var direction: SIMD3<Double> { coefficients / size }
  /// The unit normal on the camera's side, in the camera frame.
  package var normal: SIMD3<Double> { -direction }

  /// The distance of a point, above 0 on the camera's side, in meters.
  func height(of point: SIMD3<Double>) -> Double { (1 - coefficients.dot(point)) / size }

  /// How the height of a point that stays where it is changes with q.
  func heightGradient(at point: SIMD3<Double>) -> SIMD3<Double> {
    (point + direction * height(of: point)) / -size
  }

  /// The variance of a number by the errors that are each point's own; roundings never make it negative.
  func variance(along gradient: SIMD3<Double>) -> Double {
    let product =
      covariance[0] * gradient.x + covariance[1] * gradient.y + covariance[2] * gradient.z
    return max(0, gradient.dot(product))
  }

  /// The distance of the camera's center from the plane, in meters.
  package func distance(_ shared: SharedErrors) -> MeasuredValue {
    var errors = ErrorSum(shared)
    errors.add(direction / (-size * size), of: self)
    return errors.value(1 / size, .meters)
  }

  /// The coordinates of the normal on the camera's side along axes, without unit.
  ///
  /// With the direction d = q/|q| and an axis a, n·a = −d·a has ∂/∂q = (d·(d·a) − a)/|q|.
  ///
  /// - Parameters:
  ///   - shared: The errors that the points share.
  ///   - axes: Unit vectors; those of the frame by default.
  /// - Returns: One number for each axis.
  package func normalCoordinates(
    _ shared: SharedErrors, along axes: [SIMD3<Double>] = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
  ) -> [MeasuredValue] {
    axes.map { axis in
      var errors = ErrorSum(shared)
      errors.add((direction * direction.dot(axis) - axis) / size, of: self)
      return errors.value(normal.dot(axis), .one)
    }
  }

  /// How far the points scatter about the plane: the root of the mean square of their distances, of
  /// noise and shape together, in meters.
  ///
  /// The camera's errors tilt the plane and all points alike, and count nothing; those of depth scale
  /// the scatter.
  package func flatness(_ shared: SharedErrors) -> MeasuredValue {
    let (value, sigma) = flatnessMeters
    let scale = value * size * shared.depth.sigmaMeters(atDepth: 1 / size)
    return MeasuredValue(
      value: value, unit: .meters, sensor: sigma,
      calibration: shared.focalShare == nil ? nil : 0, scale: shared.isDepthKnown ? scale : nil)
  }
}
