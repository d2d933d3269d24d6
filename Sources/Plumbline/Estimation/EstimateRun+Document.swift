import PlumblineEstimation
import PlumblineInference
public import PlumblineIO
import PlumblineModel

extension EstimateRun {
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
    return .object([
      ("schema", "plumbline.estimate/1"),
      ("file", .string(before.fileName)),
      ("sha256", .string(before.sha256)),
      ("model", modelDocument), ("picture", imageDocument), ("input", inputDocument),
      ("focal", focalDocument), ("values", .string(values)),
      ("publishedError", publishedError?.json ?? .null),
      ("fit", estimated.fit?.document ?? .null),
      ("residual", residual?.document ?? .null),
      ("filled", .integer(filling?.inventedCount)),
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

  /// The `model` of a document.
  private var modelDocument: JSONValue {
    .object([
      ("name", .string(estimator.card.name)), ("title", .string(estimator.card.title)),
      ("license", .string(estimator.card.license)), ("sha256", .string(estimator.checksum)),
      ("output", .string(estimated.estimate.meaning.rawValue)),
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
