/// Lengths between points, and between a point and a plane.
package enum MeasuredLength {
  /// The length of the straight line between two points.
  ///
  /// Each end counts by the part of its error along the line, *u*·δ. Of what both share, the difference
  /// along the line remains: a wrong scale gives the same share of every length, a wrong constant of
  /// depth hardly any where the rays are alike.
  ///
  /// - Returns: Meters; of a line without length, which has no direction, the root of the squares of all
  ///   three directions.
  package static func distance(
    _ a: MeasurementPoint, _ b: MeasurementPoint, _ shared: SharedErrors
  ) -> MeasuredValue {
    let line = b.position - a.position
    let meters = line.dot(line).squareRoot()
    guard meters > 0 else {
      var errors = ErrorSum(shared)
      for point in [a, b] { errors.add(variance: point.movement.map { $0 * $0 }) }
      return errors.value(0, .meters)
    }
    var errors = ErrorSum(shared)
    errors.add(line / -meters, at: a)
    errors.add(line / meters, at: b)
    return errors.value(meters, .meters)
  }

  /// The distance of a point from a plane, above 0 on the camera's side.
  ///
  /// With `q·p = 1` on the plane, D = (1 − q·p)/|q|, thus ∂D/∂p = −q/|q| and
  /// ∂D/∂q = −(p + D·q/|q|)/|q|.
  ///
  /// - Parameters:
  ///   - point: A point that took no part in the fit of the plane.
  ///   - plane: The plane.
  ///   - shared: The errors that both share.
  /// - Returns: Meters.
  package static func height(
    of point: MeasurementPoint, above plane: PlaneMeasurement, _ shared: SharedErrors
  ) -> MeasuredValue {
    let height = plane.height(of: point.position)
    var errors = ErrorSum(shared)
    errors.add(-plane.direction, at: point)
    errors.add(plane.heightGradient(at: point.position), of: plane)
    return errors.value(height, .meters)
  }
}
