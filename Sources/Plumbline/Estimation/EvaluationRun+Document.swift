import PlumblineEstimation
public import PlumblineIO
import PlumblineModel

extension EvaluationRun {
  /// The document `plumbline.evaluate/1`, as `Documentation/cli.md` describes it.
  ///
  /// - Parameter outputs: The paths that were written.
  /// - Returns: The document; what is unknown is `null`.
  public func document(outputs: [String] = []) -> JSONValue {
    let settings = evaluation.settings
    let size = evaluation.truth.size
    return .object([
      ("schema", "plumbline.evaluate/1"),
      ("prediction", prediction.document), ("truth", truth.document),
      ("crop", .string(settings.crop.rawValue)),
      ("capMeters", .number(evaluation.capMeters.isFinite ? evaluation.capMeters : nil)),
      (
        "alignment",
        .object([
          ("kind", .string(settings.alignment.rawValue)),
          ("space", .string(settings.isAlignedInDisparity ? "disparity" : "depth")),
          ("scale", .number(evaluation.scale)), ("shift", .number(evaluation.shift)),
        ])
      ),
      ("width", .integer(size.width)), ("height", .integer(size.height)),
      (
        "resampled",
        .bool(evaluation.predictionSize != size)
      ),
      ("truthPixels", .integer(evaluation.truthCount)),
      ("missingPixels", .integer(evaluation.missingCount)),
      ("errors", evaluation.errors.document),
      (
        "boundary",
        .object([
          ("f1", .number(evaluation.boundary.f1)),
          ("precisionAt5Percent", .number(evaluation.boundary.precision)),
          ("recallAt5Percent", .number(evaluation.boundary.recall)),
          ("edgesAt5Percent", .integer(evaluation.boundary.edgeCount)),
        ])
      ),
      (
        "bands",
        .array(
          evaluation.bands.map { band, errors in
            .object([
              ("fromMeters", .number(band.fromMeters)),
              ("toMeters", .number(band.toMeters.isFinite ? band.toMeters : nil)),
              ("errors", errors.document),
            ])
          })
      ),
      ("outputs", .array(outputs.map { .string($0) })),
    ])
  }
}

extension EvaluationRun.Side {
  fileprivate var document: JSONValue {
    .object([
      ("file", .string(name)), ("sha256", .string(sha256)), ("reading", .string(reading)),
      ("width", .integer(depth.size.width)), ("height", .integer(depth.size.height)),
    ])
  }
}

extension DepthErrors {
  /// The errors by the names that the field uses.
  var document: JSONValue {
    .object([
      ("count", .integer(count)), ("absRel", .number(absoluteRelative)),
      ("sqRelMeters", .number(squaredRelativeMeters)), ("rmseMeters", .number(rmseMeters)),
      ("rmseLog", .number(rmseLog)), ("log10", .number(log10)),
      ("delta1", .number(deltas.x)), ("delta2", .number(deltas.y)),
      ("delta3", .number(deltas.z)), ("siLog", .number(scaleInvariantLog)),
      ("biasMeters", .number(biasMeters)), ("medianMeters", .number(medianMeters)),
    ])
  }
}
