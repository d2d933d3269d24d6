import PlumblineModel
import PlumblineVerification

/// Measures in a cloud or a mesh: points, lengths, angles, planes and heights, each with its ±, by the law of
/// ``CaptureMeasurer``.
///
/// The point nearest to a named place is taken. What depends on the pixels of a map, such as volumes, is
/// refused. See `Documentation/measure.md`.
public struct CloudMeasurer: Sendable {
  /// How far the nearest point may be from a named place, in times the spacing of the points there.
  static let largestOffset = 3.0
  /// Below it points are at the named place, whatever their spacing: roundings of coordinates, in meters.
  static let leastOffsetMeters = 1e-6
  /// How far a point may be from its neighbors, in times what is typical of the cloud; beyond it, it hangs
  /// between surfaces.
  ///
  /// The points of a camera are three times as far apart at three times the distance.
  static let isolation = 5.0
  /// The least points of a plane.
  static let leastPoints = 16
  /// The most, each of which costs some 60 bytes of memory.
  static let mostPoints = 4 << 20

  let cloud: MeasurableCloud
  /// What speaks against every number.
  let reasons: [String]

  /// Prepares to measure in a cloud; O(1).
  public init(_ cloud: MeasurableCloud) {
    self.cloud = cloud
    var reasons = cloud.statements.cautions
    if !cloud.statesUnit {
      reasons.append("The file does not state its unit: meters are assumed.")
    }
    if !cloud.hasSigma {
      reasons.append("No point has a ±: the file states no sigma.")
    } else if !cloud.statements.errors.isNoiseKnown {
      reasons.append(
        "The noise of the camera that saw the points is not known, and so is the ±.")
    }
    if !cloud.statements.statesShared {
      reasons.append(
        "The file does not state what all its points share, such as an error of scale, and so the ± "
          + "is not known.")
    }
    self.reasons = reasons
  }

  /// Measures what is asked for.
  ///
  /// A number that cannot be measured, such as one of a relative cloud or far from all points, is in the
  /// result without a value, and with the reason.
  ///
  /// - Parameter requests: What to measure.
  /// - Returns: One number for each, or several, as of a plane. Cost: two passes over the points for each
  ///   place, one for each region and several over the points in it.
  public func measure(_ requests: [CloudMeasurementRequest]) -> CloudMeasurementResult {
    let isAnyPlaceNamed = requests.contains { !$0.places.isEmpty }
    let typical = cloud.isRelative || !isAnyPlaceNamed ? nil : cloud.points.typicalSpacing
    return CloudMeasurementResult(measurements: requests.flatMap { measure($0, typical) })
  }

  private func measure(
    _ request: CloudMeasurementRequest, _ typicalSpacing: Double?
  ) -> [CloudMeasurement] {
    if case .floorPlan(let height) = request, cloud.surface != nil, !cloud.isRelative {
      return floorPlan(heightMeters: height).measurements
    }
    var places: [CloudMeasurement.Place] = []
    do throws(MeasurementFinder.Refusal) {
      if cloud.isRelative {
        throw MeasurementFinder.Refusal(
          reason: "The cloud is that of a relative map, whose scale and offset are not known: it "
            + "has neither lengths nor angles.")
      }
      var points: [MeasurementPoint] = []
      var found = MeasurementFinder.Found(values: [], reasons: reasons)
      for named in request.places {
        let (point, place, isAlone) = try self.found(near: named, typicalSpacing)
        points.append(point)
        places.append(place)
        if isAlone {
          found.reasons.append(
            "The point \(place) stands alone, as those that hang between surfaces do.")
        }
      }
      try measure(request, points, &found)
      return found.values.map { name, value in
        CloudMeasurement(
          request: request, name: name, value: value, places: places,
          reasons: found.reasons + valueReasons(value, request))
      }
    } catch {
      let all = request.places.enumerated().map { index, named in
        index < places.count ? places[index] : CloudMeasurement.Place(named: named)
      }
      return [
        CloudMeasurement(
          request: request, name: nil, value: nil, places: all, reasons: [error.reason])
      ]
    }
  }

  private func measure(
    _ request: CloudMeasurementRequest, _ points: [MeasurementPoint],
    _ found: inout MeasurementFinder.Found
  ) throws(MeasurementFinder.Refusal) {
    let shared = cloud.statements.errors.shared
    switch request {
    case .point:
      found.values = zip(["x", "y", "z"], points[0].coordinates(shared)).map { ($0, $1) }
    case .distance:
      found.values = [(nil, MeasuredLength.distance(points[0], points[1], shared))]
    case .angle:
      found.values = [(nil, MeasuredAngle.angle(points[0], points[1], points[2], shared))]
    case .height(_, let region):
      let plane = try plane(of: region)
      found.reasons += MeasurementFinder.reasons(ofScatter: plane.noiseRatio)
      found.values = [(nil, plane.height(of: points[0]))]
    case .plane(let region):
      let plane = try plane(of: region)
      found.reasons += MeasurementFinder.reasons(ofScatter: plane.noiseRatio)
      let normal = zip(["normalX", "normalY", "normalZ"], plane.normalCoordinates)
        .map { (name: String?.some($0), value: $1) }
      found.values =
        [
          ("distance", plane.distance), ("tilt", plane.tilt(to: cloud.statements.axis)),
          ("flatness", plane.flatness),
        ] + normal
    case .box, .volume, .area, .section, .floorPlan:
      guard let surface = cloud.surface else {
        throw MeasurementFinder.Refusal(
          reason: "Points without order have no pixels and no triangles, and so no area that each "
            + "covers: a \(request.kind) is measured in a mesh, or in the capture that the cloud was "
            + "made from.")
      }
      try SurfaceFinder(surface, up: cloud.statements.upAxis).find(request, &found)
    }
  }

  /// The point nearest to a named place.
  private func found(
    near named: SIMD3<Double>, _ typicalSpacing: Double?
  ) throws(MeasurementFinder.Refusal) -> (MeasurementPoint, CloudMeasurement.Place, Bool) {
    guard let index = cloud.points.nearest(to: named) else {
      throw MeasurementFinder.Refusal(reason: "No point is near \(named.coordinates).")
    }
    let position = cloud.points[index]
    let line = position - named
    let offset = (line * line).sum().squareRoot()
    let place = CloudMeasurement.Place(
      named: named, meters: position, offsetMeters: offset, sigmaMeters: cloud.sigma(index))
    let own = cloud.points.spacing(around: index)
    let limit = typicalSpacing.map { Self.isolation * $0 } ?? .infinity
    let isAlone = (own ?? 0) > limit
    let spacing = own.map { min($0, limit) }
    guard offset <= max(Self.largestOffset * (spacing ?? 0), Self.leastOffsetMeters) else {
      var apart = own.map { ", and points there are \($0.lengthWords) apart" } ?? ""
      if let typicalSpacing, isAlone {
        apart = ", stands alone, and most points are \(typicalSpacing.lengthWords) apart"
      }
      throw MeasurementFinder.Refusal(
        reason: "No point is near \(named.coordinates): the nearest, \(place), is "
          + "\(offset.lengthWords) away\(apart).")
    }
    return (cloud.point(index), place, isAlone)
  }

  private func plane(of region: CloudRegion) throws(MeasurementFinder.Refusal) -> CloudPlane {
    let indices = cloud.points.indices(from: region.corner, through: region.corner + region.size)
    guard indices.count >= Self.leastPoints else {
      throw MeasurementFinder.Refusal(
        reason: "A plane needs \(Self.leastPoints) points, and the cloud has "
          + "\(indices.count) in \(region).")
    }
    guard indices.count <= Self.mostPoints else {
      throw MeasurementFinder.Refusal(
        reason: "A plane takes at most \(Self.mostPoints) points, and the cloud has "
          + "\(indices.count) in \(region).")
    }
    let points = indices.map { cloud.point($0) }
    guard
      let plane = CloudPlane(
        fitting: points, cloud.statements.errors, up: cloud.statements.upAxis)
    else {
      throw MeasurementFinder.Refusal(reason: "No plane fits the points in \(region).")
    }
    return plane
  }

  /// What speaks against a number by its own ±, where nothing did that concerns all.
  private func valueReasons(
    _ value: MeasuredValue, _ request: CloudMeasurementRequest
  ) -> [String] {
    if let sigma = value.sigma {
      switch request {
      case .distance, .box, .volume, .area, .section, .floorPlan:
        return MeasurementFinder.reasons(ofSize: value.value, sigma)
      case .point, .angle, .height, .plane: return []
      }
    }
    let isExplained =
      request.isOfSurface && cloud.surface?.errors == nil || !cloud.hasSigma
      || !cloud.statements.errors.isNoiseKnown || !cloud.statements.statesShared
    if isExplained { return [] }
    if value.sensor == nil {
      return [
        value.unit == .radians && value.value.isFinite
          ? MeasurementFinder.unknownAngle : "A point that it depends on has no ±."
      ]
    }
    return ["How far the calibration is off is not known, and so is the ±."]
  }
}

extension CloudStatements {
  /// The axis of the frame that points up; `nil` where that is not known.
  var upAxis: SIMD3<Double>? {
    switch frame {
    case .world(.yUp): [0, 1, 0]
    case .world(.zUp): [0, 0, 1]
    case .world(.unknown), .camera, nil: nil
    }
  }

  /// The axis that a plane's tilt is against: the one that points up, else z, which is a camera's own.
  var axis: SIMD3<Double> { upAxis ?? [0, 0, 1] }
}

extension Double {
  /// A length in words, such as `1.5 mm` or `2.31 m`.
  var lengthWords: String { self < 1 ? "\((1000 * self).fixed(1)) mm" : "\(fixed(2)) m" }
}
