public import PlumblineInference
import PlumblineExport
public import PlumblineIO
import PlumblineImages
public import PlumblineModel
public import PlumblineStreams

/// A capture whose depth was estimated from its image, fitted where something was measured: what
/// ``CaptureEstimator`` returns.
public struct EstimateResult: Sendable {
  /// The capture as read and assessed, with its image.
  public let before: CaptureAnalysis
  /// The model.
  public let estimator: DepthEstimator
  /// The settings besides the model.
  public let request: EstimateRequest
  /// The estimate and its fit, on the image's own grid.
  public let estimated: EstimatedDepth
  /// The sensor's depth with its holes filled; `nil` unless requested and possible.
  public let filling: EstimateFilling?
  /// What the fit leaves where something was measured, before edges are sharpened; `nil` without a fit.
  ///
  /// The capture of ``after`` carries it where the fit is believed.
  public let residual: DepthResidual?
  /// The result, assessed like any capture.
  public let after: CaptureAnalysis
}

extension EstimateResult {
  /// The estimate as files in memory, without ``recording(origin:)``.
  ///
  /// `depth.npy` holds meters, `relative.npy` numbers without a unit, both on the image's grid;
  /// `residual.npy` meters on the grid of what was measured.
  ///
  /// - Throws: ``CaptureReadingError`` when the image of the depth cannot be made. Cost: O(*n*).
  public var files: [Extraction.File] {
    get throws(CaptureReadingError) {
      var files: [Extraction.File] = []
      func add(_ name: String, _ bytes: [UInt8]) {
        files.append(Extraction.File(name: name, bytes: bytes))
      }
      if let depth = estimated.depth { add("depth.npy", NPYWriter().bytes(depth.meters)) }
      if let values = estimated.relativeValues { add("relative.npy", NPYWriter().bytes(values)) }
      if let sigma = estimated.sigmaMeters { add("sigma.npy", NPYWriter().bytes(sigma)) }
      if let filling {
        add("filled.npy", NPYWriter().bytes(filling.depth.meters))
        add("filled-sigma.npy", NPYWriter().bytes(filling.sigmaMeters))
        add(
          "invented.png",
          PNGEncoder().encoded(filling.inventedPixels.map { $0 == 0 ? UInt8(0) : 255 }))
      }
      if let residual {
        add("residual.npy", NPYWriter().bytes(residual.meters))
        add("residual-sigma.npy", NPYWriter().bytes(residual.sigmaMeters))
        files +=
          ResidualImage(residual, fileName: before.fileName, producer: after.origin.producer)?
          .files ?? []
      }
      if (after.assessment.statistics?.validCount ?? 0) > 0 {
        files += try DepthImage(after, style: DepthImage.Style()).files
          .filter { $0.name == DepthImage.imageName }
      }
      if let calibration = after.calibrationDocument {
        add("calibration.json", JSONWriter().bytes(calibration.json))
      }
      add("estimate.json", JSONWriter().bytes(document()))
      return files
    }
  }

  /// The result as a recording of one frame (MCAP), which every verb takes.
  ///
  /// - Parameter origin: The program and the file that it comes from, in words.
  /// - Returns: The bytes of the file.
  /// - Throws: ``RecordingWritingError`` for what MCAP cannot hold. Cost: O(*n*).
  public func recording(origin: String) throws(RecordingWritingError) -> [UInt8] {
    try after.capture.recording(named: before.fileName, origin: origin)
  }
}

extension EstimateResult {
  /// The document `plumbline.estimate/1`, as `Documentation/cli.md` describes it.
  ///
  /// - Parameter outputs: The paths that were written; none for `estimate.json` itself.
  /// - Returns: The document; what is unknown is `null`.
  public func document(outputs: [String] = []) -> JSONValue {
    let estimate = estimated.estimate
    let statistics = after.assessment.statistics
    let isMetric = estimated.isFitted || filling != nil
    let values =
      isMetric ? "meters" : estimate.isMetric ? "metersAsEstimated" : estimate.meaning.rawValue
    // What the ± of meters that are fitted to nothing can be taken from: no ± of this image.
    let publishedError = isMetric || !estimate.isMetric ? nil : estimator.card.publishedError
    // By themselves: the compiler takes seconds for several defaults in one expression.
    let publishedErrorDocument = publishedError?.json ?? .null
    let fitDocument = estimated.fit?.document ?? .null
    let residualDocument = residual?.document ?? .null
    return .object([
      ("schema", "plumbline.estimate/1"),
      ("file", .string(before.fileName)),
      ("sha256", .string(before.sha256)),
      ("model", modelDocument), ("picture", imageDocument), ("input", inputDocument),
      ("focal", focalDocument), ("values", .string(values)),
      ("publishedError", publishedErrorDocument),
      ("fit", fitDocument),
      ("knownDistances", .array(distances.map(\.document))),
      ("residual", residualDocument),
      ("filled", .integer(filling?.inventedCount)), ("notFilled", .string(fillingRefusal)),
      ("minMeters", .number(isMetric ? statistics?.minimumMeters : nil)),
      ("medianMeters", .number(isMetric ? statistics?.medianMeters : nil)),
      ("maxMeters", .number(isMetric ? statistics?.maximumMeters : nil)),
      ("validFraction", .number(statistics?.validFraction)),
      ("verdict", .string(after.assessment.verdict.rawValue)),
      ("reason", .string(after.assessment.reason)),
      ("basis", .string(isMetric ? after.assessment.uncertainty?.basis : nil)),
      ("findings", .array(after.assessment.findings.map(\.document))),
      ("outputs", .array(outputs.map { .string($0) })),
    ])
  }

  /// Why holes were to be filled and were not, in a sentence; `nil` where they were, and where that was not asked.
  package var fillingRefusal: String? {
    guard request.fillsHoles, filling == nil else { return nil }
    return estimated.fit == nil
      ? "no holes are filled, since the estimate is not fitted to the sensor's depth"
      : "no holes are filled, since the fit is not believed"
  }

  /// The `model` of a document.
  private var modelDocument: JSONValue {
    .object([
      ("name", .string(estimator.card.name)), ("title", .string(estimator.card.title)),
      ("license", .string(estimator.card.license)), ("sha256", .string(estimator.checksum)),
      ("output", .string(estimated.estimate.meaning.rawValue)),
      ("runtime", estimator.runtime?.document ?? .null),
    ])
  }

  /// The `picture` of a document: the image as stored.
  private var imageDocument: JSONValue {
    let placement = estimated.estimate.grid.placement
    return .object([
      ("width", .integer(placement.imageSize.width)),
      ("height", .integer(placement.imageSize.height)),
      ("orientation", .integer(placement.orientation.rawValue)),
    ])
  }

  /// The `input` of a document: what the network got.
  private var inputDocument: JSONValue {
    let placement = estimated.estimate.grid.placement
    return .object([
      ("width", .integer(placement.inputSize.width)),
      ("height", .integer(placement.inputSize.height)),
      ("placement", .string(estimator.placement.rawValue)),
      ("seen", placement.seen.document), ("filled", placement.filled.document),
    ])
  }

  /// The `focal` of a document.
  private var focalDocument: JSONValue {
    let estimate = estimated.estimate
    return .object([
      (
        "pixels", .number(estimate.camera.calibration?.intrinsics.focalLength.x)
      ),
      ("source", .string(estimate.camera.source.rawValue)),
      ("correction", .number(estimate.focalCorrection)),
    ])
  }
}

extension PixelRectangle {
  /// First pixel and size.
  fileprivate var document: JSONValue {
    .object([
      ("x", .integer(x)), ("y", .integer(y)), ("width", .integer(size.width)),
      ("height", .integer(size.height)),
    ])
  }
}

extension DepthResidual {
  /// The `residual` of a document: what its files and images hold.
  fileprivate var document: JSONValue {
    .object([
      ("width", .integer(size.width)), ("height", .integer(size.height)),
      ("pixels", .integer(count)), ("colorsFullAtMeters", .number(spanMeters)),
    ])
  }
}

extension EstimateFit {
  /// The `fit` of a document.
  var document: JSONValue {
    .object([
      ("to", .string(target.words)), ("shape", .string(shape.rawValue)),
      ("space", .string(space.rawValue)), ("scale", .number(scale)),
      ("scaleSigma", .number(scaleSigma)), ("shift", .number(shift)),
      ("shiftSigma", .number(shiftSigma)), ("places", .integer(sampleCount)),
      ("outlierShare", .number(outlierShare)),
      ("residual", hasResidual ? residuals.document : .null),
      ("heldOut", heldOut?.document ?? .null),
      (
        "bands",
        .array(
          bands.map { band in
            .object([
              ("fromMeters", .number(band.band.fromMeters)),
              ("toMeters", .number(band.band.toMeters.isFinite ? band.band.toMeters : nil)),
              ("medianMeters", .number(band.medianMeters)),
              ("sigmaMillimeters", .number(1000 * sigmaMeters(atDepth: band.medianMeters))),
              ("residual", hasResidual ? band.residuals.document : .null),
            ])
          })
      ),
      ("believed", .bool(refusal == nil)), ("refusal", .string(refusal)),
    ])
  }
}

extension FitResiduals {
  /// What is left, in millimeters and percent of the depth.
  var document: JSONValue {
    .object([
      ("count", .integer(count)), ("medianMillimeters", .number(medianMillimeters)),
      ("madMillimeters", .number(deviationMillimeters)),
      ("rmsMillimeters", .number(rmsMillimeters)), ("rmsPercent", .number(rmsPercent)),
      ("sigmaMillimeters", .number(sigmaMillimeters)), ("sigmaPercent", .number(sigmaPercent)),
    ])
  }
}
