public import PlumblineInference
public import PlumblineIO
import PlumblineImages
import PlumblineModel
import PlumblineRecordings
import PlumblineExport

/// A predicted and a true depth map, and their comparison: what ``DepthEvaluator`` returns.
public struct EvaluationResult: Sendable {
  /// The predicted depth map.
  public let prediction: EvaluatedMap
  /// The true depth map.
  public let truth: EvaluatedMap
  /// The result of the comparison.
  public let evaluation: DepthEvaluation
}

extension EvaluationResult {
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

extension EvaluatedMap {
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

extension EvaluationResult {
  /// The comparison as files in memory: a page, an image of the errors and the numbers.
  ///
  /// - Throws: ``CaptureReadingError`` when an image cannot be encoded. Cost: O(*n*).
  public var files: [Extraction.File] {
    get throws(CaptureReadingError) {
      [
        Extraction.File(name: "evaluation.html", bytes: try page()),
        Extraction.File(name: "error.png", bytes: PNGEncoder().encoded(errorImage)),
        Extraction.File(name: "evaluation.json", bytes: JSONWriter().bytes(document())),
      ]
    }
  }

  /// The error of each pixel as a share of the true depth: white for none, red for too far, blue for too
  /// near, full at 30 %; dark gray where there is no truth, light gray where nothing was predicted.
  public var errorImage: Raster<RGB8> {
    let (prediction, truth) = (evaluation.prediction, evaluation.truth)
    return Raster(size: truth.size) { x, y in
      let (own, real) = (prediction[x, y], truth[x, y])
      if real.isNaN { return RGB8(red: 40, green: 40, blue: 44) }
      if own.isNaN { return RGB8(red: 170, green: 170, blue: 170) }
      let share = min(max((own / real - 1) / Float(Self.fullShare), -1), 1)
      let rest = UInt8((255 * (1 - abs(share))).rounded())
      return share > 0
        ? RGB8(red: 230, green: min(rest, 245), blue: min(rest, 245))
        : RGB8(red: min(rest, 245), green: min(rest, 245), blue: 235)
    }
  }

  /// The share of the depth at which the error image's colors are full.
  static let fullShare = 0.3

  private func page() throws(CaptureReadingError) -> [UInt8] {
    let errors = evaluation.errors
    let good = errors.deltas.x
    return FigurePage(
      title: "\(prediction.name) against \(truth.name)",
      badge: "\((100 * good).fixed(1)) % of the pixels within a factor of 1.25",
      tone: good > 0.9 ? .good : good > 0.6 ? .undecided : .bad, reason: reason,
      source: "\(prediction.name): \(prediction.reading) · \(truth.name): \(truth.reading)",
      numbers: numbers, figures: try figures(),
      documentJSON: JSONWriter(layout: .compact).text(document())
    ).html()
  }

  /// The comparison in a sentence.
  public var reason: String {
    let settings = evaluation.settings
    let space = settings.isAlignedInDisparity ? " in disparity" : ""
    let aligned =
      settings.alignment == .none
      ? "as it is" : "aligned by \(settings.alignment.rawValue)\(space)"
    let cap = evaluation.capMeters.isFinite ? ", up to \(evaluation.capMeters.fixed(0)) m" : ""
    let crop = settings.crop == .none ? "all of it" : "crop \(settings.crop.rawValue)"
    let missing = evaluation.missingCount
    let lack = missing == 0 ? "" : "; \(missing) true pixels have no prediction"
    return "\(evaluation.errors.count) pixels, \(crop)\(cap), the prediction \(aligned)\(lack)."
  }

  private var numbers: [FigurePage.Number] {
    let errors = evaluation.errors
    let boundary = evaluation.boundary
    return [
      .init(name: "AbsRel", value: errors.absoluteRelative.fixed(4), note: "mean |p − t| / t"),
      .init(
        name: "SqRel", value: "\(errors.squaredRelativeMeters.fixed(4))\u{A0}m",
        note: "mean (p − t)² / t"),
      .init(
        name: "RMSE", value: "\(errors.rmseMeters.fixed(4))\u{A0}m",
        note: "bias \(errors.biasMeters.fixed(3)) m"),
      .init(name: "RMSE log", value: errors.rmseLog.fixed(4), note: "natural logarithm"),
      .init(name: "log10", value: errors.log10.fixed(4), note: "mean |log₁₀ p − log₁₀ t|"),
      .init(name: "δ1", value: errors.deltas.x.fixed(4), note: "share within 1.25"),
      .init(name: "δ2", value: errors.deltas.y.fixed(4), note: "within 1.25²"),
      .init(name: "δ3", value: errors.deltas.z.fixed(4), note: "within 1.25³"),
      .init(name: "SI-log", value: errors.scaleInvariantLog.fixed(2), note: "× 100"),
      .init(
        name: "Boundary F1", value: boundary.f1.fixed(4),
        note: "\(boundary.edgeCount) true edges of 5 %"),
    ]
  }

  private func figures() throws(CaptureReadingError) -> [FigurePage.Figure] {
    let points = evaluation.bands.map { band, errors in
      SIMD2(Self.middle(band), 100 * errors.absoluteRelative)
    }
    let biases = evaluation.bands.map { band, errors in
      SIMD2(Self.middle(band), 100 * errors.biasMeters / Self.middle(band))
    }
    let image = errorImage.reduced(toMaximumSide: 640)
    return [
      .init(
        title: "Error by distance",
        caption:
          "Each pair of dots is a range of true depths: the mean error without its sign, and with "
          + "it, as a share of the depth. The green band is ± 10 %.",
        drawing: .scatter(
          ScatterFigure(
            series: [
              .init(name: "bias", points: biases, isMain: false),
              .init(name: "AbsRel", points: points, isMain: true),
            ], horizontalName: "true depth in m", verticalName: "error in %", tolerance: 10))),
      .init(
        title: "Where it is off",
        caption: "White is right, red too far, blue too near, full at "
          + "\((100 * Self.fullShare).fixed(0)) % of the true depth; dark gray has no truth, light gray no "
          + "prediction.",
        drawing: .photo(
          PhotoFigure(
            jpeg: try JPEGEncoder(quality: 92, chromaSampling: .full).encoded(image),
            imageSize: evaluation.truth.size, marks: []))),
    ]
  }

  /// The middle of a range of depths; the begin of the last, which has no end.
  private static func middle(_ band: DistanceBand) -> Double {
    band.toMeters.isFinite ? (band.fromMeters + band.toMeters) / 2 : band.fromMeters
  }
}
