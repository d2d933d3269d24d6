/// Angles between lines of points, and between planes.
package enum MeasuredAngle {
  /// The angle at `b` between the lines to `a` and to `c`.
  ///
  /// With unit vectors u and v from b toward a and c at angle θ: ∂θ/∂a = (u cos θ − v)/(|a − b| sin θ),
  /// ∂θ/∂c alike, and ∂θ/∂b is minus both.
  ///
  /// - Returns: Radians, 0 to π; NaN where two points are one. Toward 0 and π no first derivative
  ///   exists, so that no part of the ± is known where the ± exceeds the angle's sine.
  package static func angle(
    _ a: MeasurementPoint, _ b: MeasurementPoint, _ c: MeasurementPoint, _ shared: SharedErrors
  ) -> MeasuredValue {
    let (toA, toC) = (a.position - b.position, c.position - b.position)
    let lengths = (toA.dot(toA).squareRoot(), toC.dot(toC).squareRoot())
    guard lengths.0 > 0, lengths.1 > 0 else {
      return MeasuredValue(
        value: .nan, unit: .radians, sensor: nil, calibration: nil, scale: nil)
    }
    let (u, v) = (toA / lengths.0, toC / lengths.1)
    let cross = u.cross(v)
    let (sine, cosine) = (cross.dot(cross).squareRoot(), u.dot(v))
    let atA = (u * cosine - v) / (lengths.0 * sine)
    let atC = (v * cosine - u) / (lengths.1 * sine)
    var errors = ErrorSum(shared)
    errors.add(atA, at: a)
    errors.add(-atA - atC, at: b)
    errors.add(atC, at: c)
    return errors.value(arctangent(sine, cosine), .radians).derivable(whereSineIs: sine)
  }

  /// The angle between the normals of two planes, 0 to π; as that of three points, with each normal's
  /// errors in place of a point's.
  ///
  /// - Parameters:
  ///   - a: A plane.
  ///   - b: Another one, fitted to other points.
  ///   - shared: The errors that both share.
  /// - Returns: Radians.
  package static func angle(
    between a: PlaneMeasurement, and b: PlaneMeasurement, _ shared: SharedErrors
  ) -> MeasuredValue {
    let cross = a.normal.cross(b.normal)
    let (sine, cosine) = (cross.dot(cross).squareRoot(), a.normal.dot(b.normal))
    var errors = ErrorSum(shared)
    for (one, other) in [(a, b), (b, a)] {
      // ∂θ/∂n is perpendicular to n, and n = −q/|q|.
      errors.add((other.normal - one.normal * cosine) / (sine * one.size), of: one)
    }
    return errors.value(arctangent(sine, cosine), .radians).derivable(whereSineIs: sine)
  }

  /// The angle between a plane's normal and an axis, which is the optical one unless given, 0 to π/2.
  ///
  /// With q's part c along the axis a and h the length of its part across, t = atan(h/c), thus
  /// ∂t/∂q = (c·ŵ − h·a)/|q|² with ŵ the unit vector of the part across. At 0 the direction of ŵ is open:
  /// the larger ± of two.
  ///
  /// - Parameters:
  ///   - plane: The plane.
  ///   - axis: A unit vector; of it and its opposite the one that is nearer to the normal counts.
  ///   - shared: The errors that the points share.
  /// - Returns: Radians.
  package static func tilt(
    of plane: PlaneMeasurement, to axis: SIMD3<Double> = [0, 0, 1], _ shared: SharedErrors
  ) -> MeasuredValue {
    let q = plane.coefficients
    let axis = q.dot(axis) < 0 ? -axis : axis
    let along = q.dot(axis)
    let part = q - axis * along
    let across = part.dot(part).squareRoot()
    let square = q.dot(q)
    let value = arctangent(across, along)
    func ofGradient(_ gradient: SIMD3<Double>) -> MeasuredValue {
      var errors = ErrorSum(shared)
      errors.add(gradient, of: plane)
      return errors.value(value, .radians)
    }
    if across > 0 { return ofGradient((part * (along / across) - axis * across) / square) }
    let helper: SIMD3<Double> = abs(axis.x) < 0.9 ? [1, 0, 0] : [0, 1, 0]
    let first = axis.cross(helper)
    let unit = first / first.dot(first).squareRoot()
    let both = [ofGradient(unit / along), ofGradient(axis.cross(unit) / along)]
    return (both[0].sigma ?? 0) > (both[1].sigma ?? 0) ? both[0] : both[1]
  }
}

extension MeasuredValue {
  /// The angle as it is, without its parts where they exceed its sine: no first derivative then says how
  /// far it may be off.
  fileprivate func derivable(whereSineIs sine: Double) -> MeasuredValue {
    let parts = [sensor, calibration, scale].compactMap(\.self)
    let size = parts.reduce(0) { $0 + $1 * $1 }.squareRoot()
    if size < sine { return self }
    return MeasuredValue(value: value, unit: unit, sensor: nil, calibration: nil, scale: nil)
  }
}
