import PlumblineModel
import PlumblineVerification

/// Finds the numbers of one request, and what speaks against them.
struct MeasurementFinder {
  /// The numbers by their names, and what speaks against all of them.
  struct Found {
    var values: [(name: String?, value: MeasuredValue)]
    var reasons: [String]
  }

  /// Why nothing was found.
  struct Refusal: Error {
    let reason: String
  }

  /// How much points may scatter about a plane over their noise; beyond it there is no plane.
  static let largestNoiseRatio = 3.0
  /// The share of pixels that may be missing where they are summed.
  static let largestMissingShare = 0.02
  /// By how much the area of a box's top may differ from that of the rectangle.
  static let largestFillError = 0.1
  /// A length below so many times its ± is mostly error: to first order it no longer follows from it.
  static let leastSigmas = 3.0

  private let pixels: MeasurablePixels

  init(_ pixels: MeasurablePixels) { self.pixels = pixels }

  private var shared: SharedErrors { pixels.errors.shared }

  /// Measures at places in the map and in a region.
  func find(
    _ request: MeasurementRequest, at sites: [MeasurementSite], in region: MeasuredRegion?
  ) throws(Refusal) -> Found {
    let points = sites.compactMap { pixels.point($0) }
    var found = Found(values: [], reasons: reasons(at: sites.map(\.pixel)))
    switch request {
    case .point where points.count == 1:
      let coordinates = points[0].coordinates(shared)
      found.values = zip(["x", "y", "z"], coordinates).map { ($0, $1) }
    case .distance where points.count == 2:
      found.values = [(nil, MeasuredLength.distance(points[0], points[1], shared))]
    case .angle where points.count == 3:
      found.values = [(nil, MeasuredAngle.angle(points[0], points[1], points[2], shared))]
    case .height where points.count == 1:
      let plane = try plane(of: region?.plane, &found)
      found.values = [(nil, MeasuredLength.height(of: points[0], above: plane, shared))]
    case .plane:
      found.values = values(of: try plane(of: region?.plane, &found))
    case .box:
      _ = try plane(of: region?.borderPlane, &found)
      found.values = try box(in: region, &found)
    case .volume:
      _ = try plane(of: region?.borderPlane, &found)
      guard let volume = region.flatMap({ VolumeMeasurement($0) }) else { throw noPlane }
      addReason(ofMissing: volume.missingShare, to: &found)
      found.values = [(nil, volume.value)]
    case .point, .distance, .angle, .height:
      throw Refusal(reason: "A point has no depth.")
    }
    return found
  }

  private var noPlane: Refusal { Refusal(reason: "No plane fits what was measured there.") }

  private func plane(
    of plane: PlaneMeasurement?, _ found: inout Found
  ) throws(Refusal) -> PlaneMeasurement {
    guard let plane else { throw noPlane }
    found.reasons += Self.reasons(ofScatter: plane.noiseRatio)
    return plane
  }

  /// What speaks against a plane by how much its points scatter over their noise.
  static func reasons(ofScatter ratio: Double?) -> [String] {
    guard let ratio, ratio > largestNoiseRatio else { return [] }
    return [
      "This is no plane: points scatter \(ratio.fixed(1)) times as much about it as their noise."
    ]
  }

  private func values(of plane: PlaneMeasurement) -> [(name: String?, value: MeasuredValue)] {
    let normal = zip(["normalX", "normalY", "normalZ"], plane.normalCoordinates(shared))
      .map { (name: String?.some($0), value: $1) }
    return [
      ("distance", plane.distance(shared)), ("tilt", MeasuredAngle.tilt(of: plane, shared)),
      ("flatness", plane.flatness(shared)),
    ] + normal
  }

  private func box(
    in region: MeasuredRegion?, _ found: inout Found
  ) throws(Refusal) -> [(name: String?, value: MeasuredValue)] {
    guard let box = region.flatMap({ BoxMeasurement($0) }) else {
      throw Refusal(
        reason: "Nothing with a flat top stands on the plane of the border, higher than its noise.")
    }
    addReason(ofMissing: box.missingShare, to: &found)
    if abs(box.fill - 1) > Self.largestFillError {
      found.reasons.append(
        "The top is no rectangle: its area is \((100 * box.fill).fixed(0)) % of that of one.")
    }
    return [("width", box.width), ("height", box.height), ("depth", box.depth)]
  }

  private func addReason(ofMissing share: Double, to found: inout Found) {
    guard share > Self.largestMissingShare else { return }
    found.reasons.append(
      "Nothing was measured at \((100 * share).fixed(0)) % of the pixels inside the border.")
  }

  /// What speaks against the depths of single pixels.
  private func reasons(at sites: [SIMD2<Int>]) -> [String] {
    sites.flatMap { site -> [String] in
      let stored = pixels.analysis.storedPixel(ofMap: site) ?? site
      let name = "Pixel \(stored.x),\(stored.y) of the depth map"
      var reasons: [String] = []
      if pixels.isInvented(site.x, site.y) {
        reasons.append("\(name) was filled in, not measured.")
      }
      if pixels.isDistrusted(site.x, site.y) {
        reasons.append("\(name) has so low a confidence that no ± holds.")
      }
      if pixels.corrected.depth.isFlying(x: site.x, y: site.y) {
        reasons.append("\(name) hangs between a near and a far surface and belongs to neither.")
      }
      return reasons
    }
  }

  /// What speaks against a number by its own ±.
  static func reasons(
    of value: MeasuredValue, _ request: MeasurementRequest, _ name: String?
  ) -> [String] {
    guard let sigma = value.sigma else {
      if value.unit == .radians, value.value.isFinite, value.sensor == nil {
        return [unknownAngle]
      }
      return [
        value.sensor == nil
          ? "The noise of this camera is not known, and so is the ±."
          : "How far the calibration is off is not known, and so is the ±."
      ]
    }
    let hasSize =
      switch request {
      case .distance, .box, .volume: true
      case .point, .angle, .plane, .height: false
      }
    return hasSize ? reasons(ofSize: value.value, sigma) : []
  }

  /// Why an angle may have no ±.
  static let unknownAngle =
    "The ± of the angle is not known: it is too near to 0 or 180° for its noise, or its points have "
    + "no ±."

  /// What speaks against a number that is a size, by its ±.
  static func reasons(ofSize size: Double, _ sigma: Double) -> [String] {
    guard abs(size) < leastSigmas * sigma else { return [] }
    return ["It is less than \(leastSigmas.fixed(0)) times its ±, and so mostly error."]
  }
}
