import PlumblineCorrection
public import PlumblineEstimation
public import PlumblineModel
import PlumblineVerification
import PlumblineVision

/// A capture whose depth was estimated from its image, fitted where something was measured.
public struct EstimateRun: Sendable {
  /// The capture as read and judged, with its image.
  public let before: CaptureCheck
  /// The model.
  public let estimator: DepthEstimator
  /// What was asked for.
  public let request: EstimateRequest
  /// The estimate and its fit, on the image's own grid.
  public let estimated: EstimatedDepth
  /// The sensor's depth with its holes filled; `nil` unless asked for and possible.
  public let filling: EstimateFilling?
  /// What the fit leaves where something was measured, before edges are sharpened; `nil` without a fit.
  ///
  /// The capture of ``after`` carries it where the fit is believed.
  public let residual: DepthResidual?
  /// The result, judged like any capture.
  public let after: CaptureCheck

  /// Estimates, fits and judges one capture.
  ///
  /// - Parameters:
  ///   - check: The capture, judged, with all of its color.
  ///   - estimator: The model.
  ///   - request: What is asked for.
  ///   - calibration: The camera of the image as stored, in place of the capture's own.
  ///   - exifFocal: The focal length that the photo's Exif states; `nil` where it states none. It
  ///     serves where the capture has no calibration.
  /// - Throws: ``EstimationError`` without an image, for an output that means nothing, and where the
  ///   request asks for a fit that the capture has nothing for; ``InferenceError`` of the network. Cost:
  ///   that of the network and O(*n*) of the image.
  public init(
    _ check: CaptureCheck, by estimator: DepthEstimator, request: EstimateRequest = .init(),
    calibration: CameraCalibration? = nil, exifFocal: FilmFocalLength? = nil
  ) throws {
    guard let image = check.colorInDepthFrame else {
      throw EstimationError(
        .missing, expected: "an image to estimate depth from",
        found: check.capture.colorSize == nil ? "none" : "one that cannot be decoded")
    }
    let orientation = check.capture.depth?.orientation ?? check.capture.colorOrientation
    let camera = try Self.camera(
      of: check, size: image.size, given: calibration, exifFocal: exifFocal)
    let estimate = try estimator.estimate(of: image, orientation: orientation, camera: camera)
    let places = try FitPlaces(check, image: image, camera: estimate.camera, request: request)
    let fit = try places.map {
      try EstimateFit(estimate, to: $0.samples, target: $0.target, shape: request.shape)
    }
    let sharpened = request.isSharpened ? image : nil
    let estimated = EstimatedDepth(estimate, fit: fit, sharpenedAlong: sharpened)
    let filling =
      try request.fillsHoles ? Self.filling(of: check, by: estimate, fit: fit) : nil
    before = check
    self.estimator = estimator
    self.request = request
    self.estimated = estimated
    self.filling = filling
    if let places, let fit {
      residual = places.residual(of: estimate, by: fit)
    } else {
      residual = nil
    }
    let base = Self.capture(check.capture, withColor: image, orientation)
    let accuracy =
      places?.target == .sensorDepth ? check.capture.depth?.accuracy ?? .unknown : .absolute
    var result =
      filling.map {
        check.capture(filledBy: $0, fit: fit, estimator, camera: estimate.camera)
      }
      ?? estimated.capture(
        from: base, card: estimator.card, checksum: estimator.checksum, accuracy: accuracy)
    if fit?.refusal == nil { result.depth?.residual = residual }
    after = try CaptureCheck(result, fileName: check.fileName, sha256: check.sha256)
  }

  /// The camera of an image: the given one, the capture's own, or what Exif states.
  ///
  /// - Throws: `.mismatch` for a given one of another shape.
  private static func camera(
    of check: CaptureCheck, size: RasterSize, given: CameraCalibration?,
    exifFocal: FilmFocalLength?
  ) throws(EstimationError) -> PhotoCamera {
    if let given, !given.intrinsics.matchesAspect(of: size) {
      throw EstimationError(
        .mismatch, expected: "a calibration of the shape of the image, \(size)",
        found: "one for \(given.intrinsics.size)")
    }
    let camera = PhotoCamera(given?.scaled(to: size) ?? check.camera(of: size))
    if camera.calibration == nil, let exifFocal { return PhotoCamera(exif: exifFocal, size: size) }
    return camera
  }

  /// The sensor's depth with its holes filled; `nil` without a fit that is believed.
  ///
  /// - Throws: `.missing` without depth of a sensor in meters.
  private static func filling(
    of check: CaptureCheck, by estimate: DepthEstimate, fit: EstimateFit?
  ) throws(EstimationError) -> EstimateFilling? {
    guard let sensor = check.corrected?.depth, check.hasFilterableDepth else {
      throw EstimationError(
        .missing, expected: "sensor depth in meters, whose holes are filled", found: "none")
    }
    guard let fit, fit.refusal == nil else { return nil }
    return EstimateFilling(sensor, sigma: check.wholeSensorSigma, by: estimate, fit: fit)
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

extension CaptureCheck {
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

  /// The ± of the sensor's depths: the judgement's, or 1 % where nothing is known.
  ///
  /// - Source: 1 % at 1 m is what public measurements of LiDAR phones find, see
  ///   `Documentation/decisions/0010-sigma-model.md`.
  var sensorSigma: SigmaCurve {
    let total = assessment.uncertainty?.total ?? SigmaCurve()
    return total.sigmaMeters(atDepth: 1) > 0 ? total : SigmaCurve(perMeter: 0.01)
  }

  /// ``sensorSigma``, with 1 % for a sensor that nobody knows: of such a one the judgement has the steps
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
        "filled-by-estimate",
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
