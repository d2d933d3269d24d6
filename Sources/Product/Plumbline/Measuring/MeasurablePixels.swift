import PlumblineCorrection
import PlumblineModel
import PlumblineVerification

/// A place in a depth map, and the pixel whose depth counts there: the nearest one.
struct MeasurementSite {
  /// The place, with pixel centers at whole numbers.
  let place: SIMD2<Double>
  let pixel: SIMD2<Int>
}

/// The pixels of a capture that can be measured in meters, with their errors.
struct MeasurablePixels {
  let analysis: CaptureAnalysis
  let corrected: CorrectedDepth
  let rays: RayMap
  let errors: MeasurementErrors
  private let record: DepthRecord

  /// `nil` for a capture without depth in meters, or without a camera.
  init?(_ analysis: CaptureAnalysis) {
    guard let corrected = analysis.corrected, corrected.isMetric, let rays = corrected.rays,
      let record = analysis.capture.depth, let errors = analysis.measurementErrors
    else { return nil }
    self.analysis = analysis
    self.corrected = corrected
    self.rays = rays
    self.record = record
    self.errors = errors
  }

  /// The size of the map.
  var size: RasterSize { corrected.depth.size }

  /// The point at a pixel; `nil` where nothing was measured.
  func point(_ x: Int, _ y: Int) -> MeasurementPoint? {
    let depth = Double(corrected.depth.meters[x, y])
    guard depth > 0 else { return nil }
    return MeasurementPoint(
      position: SIMD3(Double(rays.xOverZ[x, y]), Double(rays.yOverZ[x, y]), 1) * depth,
      sensorSigma: sensorSigma(x, y, depth))
  }

  /// The point on the ray of a place, with the depth of its pixel; `nil` where nothing was measured.
  ///
  /// A pixel of a photo is finer than one of its map: the nearest pixel's own ray would be off by up to
  /// half a pixel of the map, which is two or three of the photo.
  func point(_ site: MeasurementSite) -> MeasurementPoint? {
    guard var point = point(site.pixel.x, site.pixel.y) else { return nil }
    let ray = rays.ray(at: site.place)
    point.position = SIMD3(ray.x, ray.y, 1) * point.position.z
    return point
  }

  /// One standard deviation of a depth by all that moves it; `nil` when unknown.
  func depthSigma(_ point: MeasurementPoint) -> Double? {
    let shared = errors.shared.depth.sigmaMeters(atDepth: point.position.z)
    return point.sensorSigma.map { ($0 * $0 + shared * shared).squareRoot() }
  }

  private func sensorSigma(_ x: Int, _ y: Int, _ depth: Double) -> Double? {
    if let own = corrected.sigmaMeters {
      let sigma = Double(own[x, y])
      return sigma >= 0 ? sigma : nil
    }
    return errors.sensorSigma(atDepth: depth, confidence: confidence(x, y))
  }

  private func confidence(_ x: Int, _ y: Int) -> (value: UInt8, maximum: UInt8)? {
    guard let map = record.confidence, let level = sample(map.levels, x, y) else { return nil }
    return (level, map.maximumLevel)
  }

  /// Whether a filter filled a pixel in.
  func isInvented(_ x: Int, _ y: Int) -> Bool {
    record.inventedPixels.flatMap { sample($0, x, y) }.map { $0 != 0 } ?? false
  }

  /// Whether the sensor rates a pixel so low that no ± holds.
  func isDistrusted(_ x: Int, _ y: Int) -> Bool {
    errors.sensor != nil && corrected.sigmaMeters == nil && point(x, y)?.sensorSigma == nil
  }

  /// A sample of a raster of the size of the stored map, or of the cropped one, at a pixel of the latter.
  private func sample<Sample>(_ raster: Raster<Sample>, _ x: Int, _ y: Int) -> Sample? {
    var pixel = SIMD2(x, y)
    if raster.size != size {
      guard raster.size == record.size, let stored = analysis.storedPixel(ofMap: pixel) else {
        return nil
      }
      pixel = stored
    }
    return raster.contains(x: pixel.x, y: pixel.y) ? raster[pixel.x, pixel.y] : nil
  }

  /// A rectangle with what was measured in it.
  ///
  /// What a filter filled in or the sensor distrusts is left out. Cost: O(*n*).
  ///
  /// - Precondition: The rectangle lies inside the map.
  func region(_ rectangle: PixelRectangle) -> MeasuredRegion {
    var points: [MeasurementPoint?] = []
    var directions: [SIMD2<Double>] = []
    points.reserveCapacity(rectangle.size.pixelCount)
    directions.reserveCapacity(rectangle.size.pixelCount)
    for y in rectangle.y..<rectangle.y + rectangle.size.height {
      for x in rectangle.x..<rectangle.x + rectangle.size.width {
        points.append(isInvented(x, y) || isDistrusted(x, y) ? nil : point(x, y))
        directions.append([Double(rays.xOverZ[x, y]), Double(rays.yOverZ[x, y])])
      }
    }
    return MeasuredRegion(
      size: rectangle.size, points: points, rays: directions, shared: errors.shared,
      noise: corrected.sigmaMeters == nil ? errors.sensor : nil, region: errors.region)
  }
}

extension CaptureAnalysis {
  /// The errors of the points in meters; `nil` for a relative map, and where nothing was measured.
  var measurementErrors: MeasurementErrors? {
    guard let corrected, corrected.isMetric, let record = capture.depth,
      let uncertainty = assessment.uncertainty
    else { return nil }
    return MeasurementErrors(uncertainty, of: record, mapWidth: corrected.depth.size.width)
  }
}
