import PlumblineCorrection
import PlumblineInference
public import PlumblineGeometry
public import PlumblineModel

/// Watches frames, live or recorded, for something that is too near.
///
/// Depths must be meters. What a frame's ± is, is found out as for the viewer's live image.
public struct ProximityWatch: Sendable {
  /// The alert, with its limits and state.
  public private(set) var alert: ProximityAlert
  /// The part of the image as shown that counts.
  public let region: Region
  /// The pixels of the latest frame that counted; `nil` before the first frame with depth.
  public private(set) var latestRegion: LocatedRectangle?
  /// The reading of the latest frame; `nil` before the first.
  public private(set) var latest: ProximityReading?
  /// The number of frames that were read.
  public private(set) var frameCount = 0
  /// The origin of the latest frame's depth if it is an estimate; `nil` for a measured one.
  public private(set) var estimate: EstimateOrigin?
  /// The source of the latest frame's ±; `nil` where that is unknown.
  public internal(set) var sigmaSource: SigmaSource?
  /// How many frames of a model without a scale had no fit that is believed.
  public internal(set) var unfittedFrameCount = 0

  private var scenes = LiveSceneFinder()
  private var scene: FrameScene?
  private var beginning: ContinuousClock.Instant?

  /// Prepares a watch.
  public init(_ alert: ProximityAlert, region: Region = .whole) {
    self.alert = alert
    self.region = region
  }

  /// Takes the next frame.
  ///
  /// - Returns: What to tell; `nil` where there is nothing new. Frames without a time get that of
  ///   this machine's clock.
  /// - Throws: ``ProximityError`` where depths are no meters. Cost: O(*n*) of the region; that of a
  ///   ``CaptureAnalysis`` where a camera's kind changes.
  public mutating func next(_ capture: Capture) throws(ProximityError) -> ProximityAlert.Event? {
    if let found = scenes.scene(of: capture, at: .now) { scene = found }
    let reading = try reading(capture)
    let origin = capture.estimate
    sigmaSource = reading.sigmaMeters == nil ? nil : origin == nil ? .measured : .fit
    return next(reading, timestampSeconds: capture.timestampSeconds, estimate: origin)
  }

  /// Takes what a frame says; frames without a time get that of this machine's clock.
  mutating func next(
    _ reading: ProximityReading, timestampSeconds: Double?, estimate: EstimateOrigin?
  ) -> ProximityAlert.Event? {
    let now = ContinuousClock.now
    let start = beginning ?? now
    beginning = start
    latest = reading
    frameCount += 1
    self.estimate = estimate
    return alert.next(reading, at: timestampSeconds ?? (now - start) / .seconds(1))
  }

  private mutating func reading(
    _ capture: Capture
  ) throws(ProximityError) -> ProximityReading {
    guard let record = capture.depth, let mapping = PixelMapping(capture), let scene else {
      return ProximityReading(nearestMeters: nil, sigmaMeters: nil, measuredShare: 0)
    }
    guard scene.isMetric else {
      if let estimate = capture.estimate { throw .relativeEstimate(model: estimate.model) }
      throw .notMetric(verdict: scene.verdict ?? "untrusted")
    }
    let depth = Self.depth(of: record, capture)
    let found = located(by: mapping)
    return ProximityReading(
      depth, in: found.depth,
      focalLength: Self.focalLength(of: record.calibration, at: depth.size),
      uncertainty: record.sigmaMeters.map { .meters($0) } ?? .curve(scene.sigma))
  }

  /// The pixels of a frame that count, which are remembered.
  mutating func located(by mapping: PixelMapping) -> LocatedRectangle {
    let found = mapping.located(region)
    latestRegion = found
    return found
  }

  /// The depths of the whole stored map.
  private static func depth(of record: DepthRecord, _ capture: Capture) -> DepthMap {
    switch record.values {
    case .depth(let map): return map
    case .disparity(let map): return map.depthMap
    case .range(let map):
      // The region cuts out what is shown; the sigma of a record is that of its whole map too.
      var whole = record
      whole.cleanAperture = nil
      let corrected = try? CorrectedDepth(
        whole, isGeometryCorrected: capture.source.isGeometryCorrected)
      return corrected?.depth ?? DepthMap(meters: map.meters)
    }
  }

  /// The focal length at the map's size; without a calibration that of a field of view of 60°, as the
  /// viewer takes it: it decides only how many pixels a thing must cover.
  static func focalLength(of calibration: CameraCalibration?, at size: RasterSize) -> SIMD2<Double>
  {
    if let camera = calibration?.intrinsics, camera.matchesAspect(of: size) {
      return camera.scaled(to: size).focalLength
    }
    return SIMD2(repeating: max(FrameScene.usualFocalLengthPixels(of: size), 1))
  }
}

/// An error when frames cannot be watched.
public enum ProximityError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Depths are no meters: a distance cannot be compared with them.
  case notMetric(verdict: String)
  /// A network's depths that were fitted to nothing, and are no meters even by its own word.
  case relativeEstimate(model: String)

  /// One sentence.
  public var description: String {
    switch self {
    case .notMetric(let verdict):
      "whether something is near takes depths in meters; these are \(verdict)"
    case .relativeEstimate(let model):
      "whether something is near takes depths in meters; an estimate of \(model) that is fitted to "
        + "nothing has none: watch a capture with sensor depth, fit the photo first to known distances or "
        + "a board and watch the fitted capture, or take a model that gives meters"
    }
  }
}

extension ProximityWatch {
  /// The sources of a reading's ±.
  public enum SigmaSource: String, Sendable, CaseIterable {
    /// The sensor, a filter or a stereo match.
    case measured
    /// The residuals of a fit at measured positions.
    case fit
    /// The model's own error on test data, as published.
    case published
  }

  /// Takes the next frame by its estimate.
  ///
  /// Meters are those of a believed fit, else the model's own; their ± is that of the fit, else the
  /// model's published one. A model without a scale whose fit is not believed has seen nothing: the
  /// frame counts as a hole.
  ///
  /// - Returns: What to tell; `nil` where there is nothing new.
  /// - Throws: ``ProximityError/relativeEstimate(model:)`` where a model without a scale had nothing to
  ///   be fitted to. Cost: O(*n*) of the region.
  public mutating func next(
    _ result: EstimateResult
  ) throws(ProximityError) -> ProximityAlert.Event? {
    let estimated = result.estimated
    let name = result.estimator.card.name
    guard estimated.depth != nil || estimated.fit != nil else {
      throw .relativeEstimate(model: name)
    }
    return next(
      reading(of: estimated, published: result.estimator.card.publishedError),
      timestampSeconds: result.before.capture.timestampSeconds,
      estimate: result.after.capture.estimate)
  }

  private mutating func reading(
    of estimated: EstimatedDepth, published: PublishedError?
  ) -> ProximityReading {
    guard let depth = estimated.depth else {
      unfittedFrameCount += 1
      return ProximityReading(nearestMeters: nil, sigmaMeters: nil, measuredShare: 0)
    }
    var uncertainty = PointUncertainty.unknown
    sigmaSource = nil
    if let sigma = estimated.sigmaMeters {
      (uncertainty, sigmaSource) = (.meters(sigma), .fit)
    } else if let published {
      // One number for all scenes is what there is.
      (uncertainty, sigmaSource) = (.curve(published.sigma), .published)
    }
    let grid = PixelMapping(
      mapSize: depth.size, orientation: estimated.estimate.grid.placement.orientation)
    return ProximityReading(
      depth, in: located(by: grid).depth,
      focalLength: Self.focalLength(of: estimated.estimate.camera.calibration, at: depth.size),
      uncertainty: uncertainty)
  }
}
