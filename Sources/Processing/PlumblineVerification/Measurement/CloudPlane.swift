import PlumblineModel

/// The plane of points of a cloud, in the cloud's own frame, by the law of ``PlaneMeasurement``.
///
/// Points with rays are those of a camera, and nothing is changed. Others are seen from a place far before
/// them, straight on, where rays are parallel and depths are heights: the same least squares then minimize
/// the distances from the plane. What lengths share they share from everywhere.
package struct CloudPlane: Sendable {
  /// From where points without rays are seen; `nil` with rays.
  private let view: View?
  private let plane: PlaneMeasurement
  private let shared: SharedErrors

  /// How far away points are seen from, in times their extent: rays then differ by a thousandth.
  private static let viewExtents = 1000.0
  /// How often the direction to see points from is improved at most; a plane needs two.
  private static let viewSteps = 8

  /// Fits a plane; `nil` where none fits, as to points on a line.
  ///
  /// - Parameters:
  ///   - points: At least 4.
  ///   - errors: Those of the cloud.
  ///   - up: The axis of the frame that points up, where that is known.
  /// - Complexity: O(*n*).
  package init?(fitting points: [MeasurementPoint], _ errors: CloudErrors, up: SIMD3<Double>?) {
    shared = errors.shared
    if errors.direction == .ray {
      guard
        let plane = PlaneMeasurement(
          fitting: points, shared, noise: errors.noise, region: errors.region)
      else { return nil }
      self.plane = plane
      view = nil
      return
    }
    guard let spread = Spread(points.map(\.position)) else { return nil }
    var normal = spread.normal
    var found: (plane: PlaneMeasurement, view: View)?
    for _ in 0..<Self.viewSteps {
      let view = View(
        toward: spread.mean, along: -Self.oriented(normal, spread, up: up),
        from: Self.viewExtents * spread.extent)
      let seen = points.map { point in
        MeasurementPoint(
          position: view.place(of: point.position), sensorSigma: point.sensorSigma)
      }
      guard let plane = PlaneMeasurement(fitting: seen, shared, region: errors.region) else {
        return nil
      }
      found = (plane, view)
      normal = view.cloudFromView * plane.normal
      // 1 − cos: an angle of a millionth.
      if 1 - abs(plane.direction.z) < 1e-12 { break }
    }
    guard let found else { return nil }
    (plane, view) = found
  }

  /// The side that the normal points to: up where the plane is level within 60°, else that of the origin, and
  /// of a plane through the origin that of its largest coordinate.
  private static func oriented(
    _ normal: SIMD3<Double>, _ spread: Spread, up: SIMD3<Double>?
  ) -> SIMD3<Double> {
    if let up, abs(normal.dot(up)) > 0.5 { return normal.dot(up) > 0 ? normal : -normal }
    let toOrigin = -normal.dot(spread.mean)
    if abs(toOrigin) > 0.01 * spread.extent { return toOrigin > 0 ? normal : -normal }
    let sizes = (0..<3).map { abs(normal[$0]) }
    let axis = sizes.indices.max { sizes[$0] < sizes[$1] } ?? 2
    return normal[axis] > 0 ? normal : -normal
  }

  /// The number of points.
  package var count: Int { plane.count }
  /// How much the points scatter about the plane over what their ± says; `nil` where that is unknown.
  package var noiseRatio: Double? { plane.noiseRatio }

  /// The distance of the frame's origin, which with rays is the camera, in meters.
  package var distance: MeasuredValue {
    guard view != nil else { return plane.distance(shared) }
    // The origin is no measured point, but is placed by the same lengths.
    var value = height(
      of: MeasurementPoint(position: .zero, sensorSigma: 0, direction: .unknown))
    value.value = abs(value.value)
    return value
  }

  /// The angle between the normal and an axis of the cloud's frame, in radians, 0 to π/2.
  package func tilt(to axis: SIMD3<Double>) -> MeasuredValue {
    let axis = view.map { $0.cloudFromView.inverse * axis } ?? axis
    return MeasuredAngle.tilt(of: plane, to: axis, shared)
  }

  /// How far the points scatter about the plane, in meters.
  package var flatness: MeasuredValue { plane.flatness(shared) }

  /// The coordinates of the unit normal in the cloud's frame, without unit.
  package var normalCoordinates: [MeasuredValue] {
    let axes = Rotation.identity
    let turned = [axes.x, axes.y, axes.z].map { axis in
      view.map { $0.cloudFromView.inverse * axis } ?? axis
    }
    return plane.normalCoordinates(shared, along: turned)
  }

  /// The distance of a point that took no part in the fit, above 0 on the side of the normal, in meters.
  package func height(of point: MeasurementPoint) -> MeasuredValue {
    var point = point
    if let view { point.position = view.place(of: point.position) }
    return MeasuredLength.height(of: point, above: plane, shared)
  }
}

/// A place that points are seen from, with its axes in the cloud's frame.
private struct View {
  let cloudFromView: Rotation
  let origin: SIMD3<Double>

  /// Looks at a place along a unit vector, from a distance.
  init(toward place: SIMD3<Double>, along direction: SIMD3<Double>, from distance: Double) {
    let helper: SIMD3<Double> = abs(direction.x) < 0.9 ? [1, 0, 0] : [0, 1, 0]
    let across = direction.cross(helper)
    let x = across / across.dot(across).squareRoot()
    cloudFromView = Rotation(x: x, y: direction.cross(x), z: direction)
    origin = place - direction * distance
  }

  /// Where a point of the cloud is in the frame of the view.
  func place(of point: SIMD3<Double>) -> SIMD3<Double> {
    let offset = point - origin
    return [cloudFromView.x.dot(offset), cloudFromView.y.dot(offset), cloudFromView.z.dot(offset)]
  }
}

/// The middle of points, how far they reach, and the direction across them.
private struct Spread {
  let mean: SIMD3<Double>
  /// The largest distance from the mean.
  let extent: Double
  /// About the direction in which they differ least.
  let normal: SIMD3<Double>

  /// `nil` for points at one place or on a line.
  ///
  /// The columns of the adjugate of the second moments go to the eigenvector of the smallest eigenvalue as
  /// that goes to 0, as for points of a plane.
  init?(_ points: [SIMD3<Double>]) {
    guard !points.isEmpty else { return nil }
    let mean = points.reduce(SIMD3<Double>.zero, +) / Double(points.count)
    let square = points.reduce(0) { max($0, ($1 - mean).dot($1 - mean)) }
    guard square > 0, square.isFinite else { return nil }
    self.mean = mean
    extent = square.squareRoot()
    var rows = [SIMD3<Double>](repeating: .zero, count: 3)
    for point in points {
      let offset = (point - mean) / extent
      for axis in 0..<3 { rows[axis] += offset * offset[axis] }
    }
    let columns = [rows[1].cross(rows[2]), rows[2].cross(rows[0]), rows[0].cross(rows[1])]
    let longest = columns.max { $0.dot($0) < $1.dot($1) } ?? .zero
    let length = longest.dot(longest).squareRoot()
    let trace = rows[0].x + rows[1].y + rows[2].z
    guard length > 1e-12 * trace * trace else { return nil }
    normal = longest / length
  }
}
