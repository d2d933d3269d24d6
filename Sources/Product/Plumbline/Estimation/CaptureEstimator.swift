public import PlumblineCorrection
public import PlumblineInference
public import PlumblineModel
import PlumblineVerification
public import PlumblineVision

/// The settings of an estimate besides the model.
public struct EstimateRequest: Sendable {
  /// The use of a capture's own depth.
  public enum SensorUse: String, Sendable, CaseIterable {
    /// The estimate is fitted to it where it is in meters and nothing else is given.
    case auto
    /// The estimate is fitted to it, and it is an error where it is not in meters.
    case sensor
    /// The capture's own depth is ignored.
    case none
  }

  /// The use of a capture's own depth.
  public var sensorUse = SensorUse.auto
  /// Distances that the user measured, in pixels of the image as stored.
  public var distances: [KnownDistance] = []
  /// Further such distances, at pixels as users name them; they come after ``distances``.
  public var measuredDistances: [MeasuredDistance] = []
  /// A board of known size in the image.
  public var board: Board?
  /// The free parameters of the fit; `nil` for what suits the model.
  public var shape: EstimateFit.Shape?
  /// Whether edges are drawn along those of the image.
  public var isSharpened = false
  /// Whether the holes of the sensor's depth are filled, instead of its map being replaced.
  public var fillsHoles = false

  /// An estimate fitted to sensor depth where there is any.
  public init() {}
}

/// Estimates the depth of captures from their images, and fits it where something was measured.
///
/// ```swift
/// let analysis = try CaptureAnalyzer().analyze(path: "photo.heic")
/// let result = try CaptureEstimator(estimator).estimate(analysis)
/// print(result.after.assessment.reason)
/// ```
public struct CaptureEstimator: Sendable {
  /// The model.
  public var estimator: DepthEstimator
  /// The settings of an estimate besides the model.
  public var request: EstimateRequest
  /// The camera of the image as stored, in place of the capture's own; `nil` for its own.
  public var calibration: CameraCalibration?

  /// Creates an estimator of captures.
  ///
  /// - Parameters:
  ///   - estimator: The model.
  ///   - request: The settings besides the model.
  ///   - calibration: The camera of the image as stored; `nil` for the capture's own.
  public init(
    _ estimator: DepthEstimator, request: EstimateRequest = EstimateRequest(),
    calibration: CameraCalibration? = nil
  ) {
    self.estimator = estimator
    self.request = request
    self.calibration = calibration
  }

  /// Estimates, fits and assesses one capture.
  ///
  /// The focal length that the photo's Exif states serves where the capture has no calibration.
  ///
  /// - Parameter analysis: The capture, assessed, with all of its color.
  /// - Returns: The estimate, its fit, and the result as a capture.
  /// - Throws: ``EstimationError`` without an image, for an output that means nothing, and where the
  ///   request requires a fit that the capture has nothing for; ``InferenceError`` of the network. Cost:
  ///   that of the network and O(*n*) of the image.
  public func estimate(_ analysis: CaptureAnalysis) throws -> EstimateResult {
    guard let image = analysis.colorInDepthFrame else {
      throw EstimationError(
        .missing, expected: "an image to estimate depth from",
        found: analysis.capture.colorSize == nil ? "none" : "one that cannot be decoded")
    }
    let orientation = analysis.capture.depth?.orientation ?? analysis.capture.colorOrientation
    let camera = try camera(of: analysis, size: image.size)
    let estimate = try estimator.estimate(of: image, orientation: orientation, camera: camera)
    let reference = try request.fitReference(in: analysis, image: image, camera: estimate.camera)
    let fit = try reference.map {
      try EstimateFit.fitted(estimate, to: $0.samples, target: $0.target, shape: request.shape)
    }
    let sharpened = request.isSharpened ? image : nil
    let estimated = EstimatedDepth(estimate, fit: fit, sharpenedAlong: sharpened)
    let filling =
      try request.fillsHoles ? Self.filling(of: analysis, by: estimate, fit: fit) : nil
    let residual = fit.flatMap { reference?.residual(of: estimate, by: $0) }
    let base = Self.capture(analysis.capture, withColor: image, orientation)
    let accuracy =
      reference?.target == .sensorDepth
      ? analysis.capture.depth?.accuracy ?? .unknown : .absolute
    var capture =
      filling.map {
        analysis.capture(filledBy: $0, fit: fit, estimator, camera: estimate.camera)
      }
      ?? estimated.capture(
        from: base, card: estimator.card, checksum: estimator.checksum, accuracy: accuracy)
    if fit?.refusal == nil { capture.depth?.residual = residual }
    let after = try CaptureAnalyzer().analyze(
      capture, fileName: analysis.fileName, sha256: analysis.sha256)
    return EstimateResult(
      before: analysis, estimator: estimator, request: request, estimated: estimated,
      filling: filling, residual: residual, after: after)
  }

  /// The camera of an image: the given one, the capture's own, or what Exif states.
  ///
  /// - Throws: `.mismatch` for a given one of another shape.
  private func camera(
    of analysis: CaptureAnalysis, size: RasterSize
  ) throws(EstimationError) -> PhotoCamera {
    if let calibration, !calibration.intrinsics.matchesAspect(of: size) {
      throw EstimationError(
        .mismatch, expected: "a calibration of the shape of the image, \(size)",
        found: "one for \(calibration.intrinsics.size)")
    }
    let camera = PhotoCamera(calibration?.scaled(to: size) ?? analysis.camera(of: size))
    if camera.calibration == nil, let exifFocal = analysis.exifFocal {
      return PhotoCamera(exif: exifFocal, size: size)
    }
    return camera
  }

  /// The sensor's depth with its holes filled; `nil` without a fit that is believed.
  ///
  /// - Throws: `.missing` without depth of a sensor in meters.
  private static func filling(
    of analysis: CaptureAnalysis, by estimate: DepthEstimate, fit: EstimateFit?
  ) throws(EstimationError) -> EstimateFilling? {
    guard let sensor = analysis.corrected?.depth, analysis.hasFilterableDepth else {
      throw EstimationError(
        .missing, expected: "sensor depth in meters, whose holes are filled", found: "none")
    }
    guard let fit, fit.refusal == nil else { return nil }
    return EstimateFilling(sensor, sigma: analysis.wholeSensorSigma, by: estimate, fit: fit)
  }

  /// A capture with an image in the depth map's frame as its color.
  private static func capture(
    _ capture: Capture, withColor image: Raster<RGB8>, _ orientation: ImageOrientation
  ) -> Capture {
    var result = capture
    result.color = image
    result.colorFile = nil
    result.colorSize = image.size
    result.colorOrientation = orientation
    return result
  }
}

extension CaptureAnalysis {
  /// The camera of the image in the depth map's frame; `nil` where none of its shape is known.
  func camera(of size: RasterSize) -> CameraCalibration? {
    let own = capture.colorCalibration.map { calibration in
      let orientation = capture.depth?.orientation ?? capture.colorOrientation
      return calibration.oriented(
        by: capture.colorOrientation.followed(by: orientation.inverse))
    }
    return [own, corrected?.calibration, capture.depth?.calibration].compactMap(\.self)
      .first { $0.intrinsics.matchesAspect(of: size) }?.scaled(to: size)
  }

  /// The ± of the sensor's depths: the assessment's, or 1 % where nothing is known.
  ///
  /// - Source: 1 % at 1 m is what public measurements of LiDAR phones find, see
  ///   `Documentation/decisions/0010-sigma-model.md`.
  var sensorSigma: SigmaCurve {
    let total = assessment.uncertainty?.total ?? SigmaCurve()
    return total.sigmaMeters(atDepth: 1) > 0 ? total : SigmaCurve(perMeter: 0.01)
  }

  /// ``sensorSigma``, with 1 % for a sensor that nobody knows: of such a one the assessment has the steps
  /// of the numbers alone, by which places can be weighed and which are too little for a ±.
  var wholeSensorSigma: SigmaCurve {
    let isKnown = assessment.uncertainty.map { $0.sensor != nil } ?? true
    return isKnown ? sensorSigma : sensorSigma.adding(SigmaCurve(perMeter: 0.01))
  }

  /// The capture with the holes of its depth filled.
  fileprivate func capture(
    filledBy filling: EstimateFilling, fit: EstimateFit?, _ estimator: DepthEstimator,
    camera: PhotoCamera
  ) -> Capture {
    var result = capture
    result.depth?.values = .depth(filling.depth)
    result.depth?.storedSamples = nil
    result.depth?.quantization = nil
    result.depth?.cleanAperture = nil
    result.depth?.storedType = "fdep"
    // A camera that was given is the map's too: both have one field of view.
    let given = camera.source == .calibration ? camera.calibration : nil
    result.depth?.calibration =
      corrected?.calibration
      ?? given.flatMap {
        $0.intrinsics.matchesAspect(of: filling.depth.size)
          ? $0.scaled(to: filling.depth.size) : nil
      }
    result.depth?.sigmaMeters = filling.sigmaMeters
    result.depth?.isFiltered = true
    let invented = filling.inventedPixels
    if let confidence = capture.depth?.confidence, confidence.levels.size == invented.size {
      result.depth?.confidence = ConfidenceMap(
        levels: Raster(size: invented.size) { x, y in
          invented[x, y] == 0 ? confidence.levels[x, y] : 0
        }, maximumLevel: confidence.maximumLevel)
    } else {
      // Where the sensor says nothing of its trust, it trusts what it measured.
      result.depth?.confidence = ConfidenceMap(
        levels: invented.map { $0 == 0 ? 1 : 0 }, maximumLevel: 1)
    }
    if let before = capture.depth?.inventedPixels, before.size == invented.size {
      result.depth?.inventedPixels = Raster(size: invented.size) { x, y in
        max(before[x, y], invented[x, y])
      }
    } else {
      result.depth?.inventedPixels = invented
    }
    result.provenance.append(
      ProvenanceStep(
        .filledByEstimate,
        "\(filling.inventedCount) pixels by \(estimator.card.name), model file SHA-256 "
          + "\(estimator.checksum ?? "unknown"); \(fit?.summary ?? "")"))
    if filling.inventedCount > 0 {
      result.findings.append(
        Finding(
          .depthInvented, .caution,
          "\(filling.inventedCount) depths were filled in by an estimate of \(estimator.card.name)",
          evidence: "inventedPixels"))
    }
    return result
  }
}
