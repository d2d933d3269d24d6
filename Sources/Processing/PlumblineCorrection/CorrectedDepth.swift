public import PlumblineModel

/// A depth map with the camera that belongs to it: as far as the file states them.
///
/// Frame: the stored map's pixels, cropped to the clean aperture; points in the camera frame of
/// those pixels (`x` right, `y` down, `z` forward). Nothing is resampled: lens distortion moves
/// points, see ``rays``.
public struct CorrectedDepth: Sendable {
  /// The depths; in meters when ``isMetric``, else in an unknown unit.
  public var depth: DepthMap
  /// Whether the depths are meters: the producer promises absolute depths in a unit, or known
  /// distances made them so.
  public var isMetric: Bool
  /// One standard deviation of each depth along the optical axis, where the map brings one, in the
  /// unit of ``depth``; NaN where the depth is missing.
  ///
  /// Known distances change it with the depths. Their own ± comes beside it:
  /// ``DistanceFit/sigmaMeters(atDepth:noise:)``.
  public var sigmaMeters: Raster<Float>?
  /// The calibration at the map's own size; `nil` when there is none that fits it.
  public var calibration: CameraCalibration?
  /// The fit that made the depths metric, if any.
  public var distanceFit: DistanceFit?
  /// The steps that were applied, in order.
  public var steps: [ProvenanceStep]

  /// One rectified ray for each pixel; `nil` without a calibration or depths.
  ///
  /// Cost: O(*n*) each time; keep what is used again.
  public var rays: RayMap? { depth.size.pixelCount > 0 ? calibration?.rayMap : nil }

  /// Turns a stored record into depths and rays.
  ///
  /// - Parameters:
  ///   - record: The map as stored.
  ///   - knownDistances: None, one or two distances that make a relative map metric.
  ///   - isGeometryCorrected: Whether the device had rectified the image already; the distortion
  ///     that is given then belongs to the lens before and is not applied. `nil` when not said.
  /// - Throws: ``DistanceFitError`` when the distances do not fit the map. Cost: O(*n*).
  /// - Source: measured on an iPad Pro of the 5th generation: through its tables a board fits four
  ///   times worse than without; see `Documentation/formats/avfoundation-dump.md`.
  package init(
    _ record: DepthRecord, knownDistances: [KnownDistance] = [], isGeometryCorrected: Bool? = nil
  ) throws(DistanceFitError) {
    var steps: [ProvenanceStep] = []
    let calibration = Self.camera(of: record, isGeometryCorrected: isGeometryCorrected, &steps)
    var depth = Self.depth(of: record, calibration, &steps)
    var sigma = Self.sigma(of: record, size: depth.size)
    var isMetric = record.accuracy == .absolute && record.hasUnit
    var fit: DistanceFit?
    if !knownDistances.isEmpty {
      let found = try DistanceFit(
        knownDistances, in: depth.disparityMap,
        cutOutAt: SIMD2(record.cleanAperture?.x ?? 0, record.cleanAperture?.y ?? 0))
      sigma = sigma.map { found.applied(to: $0, of: depth) }
      depth = found.applied(to: depth)
      isMetric = true
      fit = found
      steps.append(ProvenanceStep(.scaledByDistance, found.description))
    }
    self.depth = depth
    self.isMetric = isMetric
    self.sigmaMeters = sigma
    self.distanceFit = fit
    self.calibration = calibration
    if let distortion = calibration?.distortion, !distortion.isZero {
      steps.append(
        ProvenanceStep(.rectifiedPoints, "points moved along the undistorting magnification"))
    }
    self.steps = steps
  }

  /// The camera of a record alone, for what does not depend on depths: there are no depths and no rays.
  package init(cameraOf record: DepthRecord, isGeometryCorrected: Bool? = nil) {
    steps = []
    calibration = Self.camera(of: record, isGeometryCorrected: isGeometryCorrected, &steps)
    depth = DepthMap(meters: Raster(size: RasterSize(width: 0, height: 0), samples: []))
    isMetric = record.accuracy == .absolute && record.hasUnit
  }

  /// The calibration at the size of the cropped map, without a lens that the device took away.
  private static func camera(
    of record: DepthRecord, isGeometryCorrected: Bool?, _ steps: inout [ProvenanceStep]
  ) -> CameraCalibration? {
    var calibration = Self.calibration(of: record, &steps)
    if isGeometryCorrected == true, let found = calibration, found.distortion?.isZero == false {
      calibration?.distortion = LensDistortion(
        center: found.distortion?.center ?? .zero, size: found.intrinsics.size,
        distorting: .table([0, 0]), undistorting: .table([0, 0]))
      steps.append(
        ProvenanceStep(
          .keptRectified, "the device had rectified the image; its tables are not applied"))
    }
    return calibration
  }

  /// The calibration at the size of the cropped map, where the aspect ratios allow it.
  private static func calibration(
    of record: DepthRecord, _ steps: inout [ProvenanceStep]
  ) -> CameraCalibration? {
    guard let reference = record.calibration else { return nil }
    let crop = record.cleanAperture
    let size: RasterSize
    if reference.intrinsics.matchesAspect(of: record.size) {
      size = record.size
    } else if let crop, reference.intrinsics.matchesAspect(of: crop.size) {
      size = crop.size
    } else {
      return nil
    }
    if reference.intrinsics.size != size {
      steps.append(
        ProvenanceStep(
          .scaledIntrinsics, "\(reference.intrinsics.size) to \(size), pixel centers"))
    }
    let scaled = reference.scaled(to: size)
    // A calibration that has the crop's own shape was already moved with it.
    guard let crop, size == record.size else { return scaled }
    return scaled.cropped(to: crop)
  }

  /// The ± that the record brings, cropped as its depths are; `nil` without one of their size.
  private static func sigma(of record: DepthRecord, size: RasterSize) -> Raster<Float>? {
    guard let sigma = record.sigmaMeters else { return nil }
    guard let crop = record.cleanAperture, sigma.size == record.size, crop.size != record.size
    else { return sigma.size == size ? sigma : nil }
    return sigma.cropped(to: crop)
  }

  /// The depths of the record, cropped to its clean aperture.
  private static func depth(
    of record: DepthRecord, _ calibration: CameraCalibration?, _ steps: inout [ProvenanceStep]
  ) -> DepthMap {
    var crop = record.cleanAperture
    if crop?.size == record.size { crop = nil }
    if let crop {
      steps.append(ProvenanceStep(.cropped, "\(crop.size) at (\(crop.x), \(crop.y))"))
    }
    func cropped(_ raster: Raster<Float>) -> Raster<Float> {
      crop.map { raster.cropped(to: $0) } ?? raster
    }
    switch record.values {
    case .depth(let map):
      return DepthMap(meters: cropped(map.meters))
    case .disparity(let map):
      steps.append(ProvenanceStep(.inverted, "depth = 1 / disparity"))
      // The reciprocal leaves out what is no disparity; to check the map before would be one pass more.
      guard crop != nil else { return map.depthMap }
      return DisparityMap(inverseMeters: cropped(map.inverseMeters)).depthMap
    case .range(let map):
      let range = cropped(map.meters)
      guard let rays = calibration?.rayMap else { return DepthMap(meters: range) }
      steps.append(ProvenanceStep(.projectedRays, "depth = range / |ray|"))
      return DepthMap(
        meters: Raster(size: range.size) { x, y in
          let ray = SIMD2(rays.xOverZ[x, y], rays.yOverZ[x, y])
          return range[x, y] / (ray.x * ray.x + ray.y * ray.y + 1).squareRoot()
        })
    }
  }
}
