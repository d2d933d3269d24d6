public import PlumblineIO
import PlumblineModel
public import PlumblineVerification
import PlumblineVision

extension CalibrationVerification {
  /// The document `plumbline.verify/1`; what is unknown is `null`.
  ///
  /// - Parameters:
  ///   - folder: The name of the folder.
  ///   - report: The path of the report; `nil` when none was written.
  ///   - earlierSteps: The corrections and filters that the frames came with.
  ///   - session: What the frames say of their device; `nil` for nothing.
  /// - Returns: The document.
  public func document(
    folder: String, report: String? = nil, earlierSteps: [ConversionSummary.StepCount] = [],
    session: BoardSession? = nil
  ) -> JSONValue {
    let depth = measuredDepth ?? factoryDepth
    let counts: [(key: String, value: JSONValue)] = [
      ("schema", .string("plumbline.verify/1")),
      ("folder", .string(folder)),
      ("source", session?.document ?? .null),
      ("image", imageDocument),
      ("factoryCenter", .numbers(factoryCenter.map { [$0.x, $0.y] })),
      ("frames", .integer(frameCount)),
      ("framesUsed", .integer(frames.count)),
      ("framesTooFewCorners", .integer(rejectedCount)),
      ("framesMoving", .integer(movingCount)),
      ("framesWithoutImage", .integer(imagelessCount)),
      ("shownBoard", .string(shownBoard.map { BoardNotation($0).text })),
      ("orientations", .integer(orientationCount)),
      ("board", boardDocument),
      ("focal", focalDocument),
      ("models", .array(estimates.map(\.document))),
      ("model", .string(measured?.lens.rawValue)),
      ("earlierSteps", .array(earlierSteps.map(\.document))),
    ]
    let againstBoard: [(key: String, value: JSONValue)] = [
      (
        "depth",
        .object([
          ("factory", Self.depth(factoryDepth)), ("measured", Self.depth(measuredDepth)),
        ])
      ),
      ("length", lengthDocument),
      ("planeRmsMillimeters", Self.millimeters(depth?.planeRMSMeters)),
      ("fillFraction", .number(fillShare)),
      ("temporalNoiseMillimeters", Self.millimeters(temporalSigmaMeters)),
      ("coverage", coverageDocument),
      (
        "projection",
        projection.map { map in
          .object([
            ("columns", .integer(map.columns)), ("rows", .integer(map.rows)),
            ("sigmaPixels", .numbers(map.sigmaPixels)),
            ("coveredSigmaPixels", .number(map.coveredSigmaShare * Double(map.imageWidth))),
          ])
        } ?? .null
      ),
    ]
    let judgement: [(key: String, value: JSONValue)] = [
      ("rectified", .string(rectification.rawValue)),
      ("tableFits", .bool(tableFits)),
      ("givenMissRatio", .number(givenMissRatio)),
      ("verdict", .string(verdict.rawValue)),
      ("measurable", .bool(isMeasurable)),
      ("reason", .string(reason)),
      ("outputs", .object([("report", .string(report))])),
    ]
    return .object(counts + againstBoard + judgement)
  }

  private static func millimeters(_ meters: Double?) -> JSONValue {
    .number(meters.map { 1000 * $0 })
  }

  private static func percent(_ share: Double?) -> JSONValue {
    .number(share.map { 100 * $0 })
  }

  private var lengthDocument: JSONValue {
    .object([
      ("factoryPercent", Self.percent(factoryDepth?.length?.share)),
      ("measuredPercent", Self.percent(measuredDepth?.length?.share)),
      ("plusMinusPercent", Self.percent((measuredDepth ?? factoryDepth)?.length?.sigmaShare)),
      ("factoryPlusMinusPercent", Self.percent(factoryDepth?.length?.sigmaShare)),
    ])
  }

  private var factoryCenter: SIMD2<Double>? { factory?.intrinsics.principalPoint }

  /// The size of the images.
  private var imageDocument: JSONValue {
    guard let size = frames.first?.view.imageSize else { return .null }
    return .object([("width", .integer(size.width)), ("height", .integer(size.height))])
  }

  private var boardDocument: JSONValue {
    guard let board = frames.first?.view.board else { return .null }
    var kind = "chessboard"
    var dictionary: String?
    var layout: String?
    if case .charuco(let pattern) = board.pattern {
      kind = "charuco"
      dictionary = pattern.dictionary.rawValue
      layout = pattern.layout.rawValue
    }
    return .object([
      ("kind", .string(kind)),
      ("columns", .integer(board.columns)),
      ("rows", .integer(board.rows)),
      ("dictionary", .string(dictionary)),
      ("layout", .string(layout)),
      ("squareMillimeters", .number(board.squareMillimeters)),
      ("flatnessMillimeters", Self.millimeters(boardShape?.flatnessMeters)),
    ])
  }

  /// The focal length alone, whatever the lens; the models say what it is with it.
  private var focalDocument: JSONValue {
    let plain = estimates.first { $0.lens == .focal }
    let focal = factory?.intrinsics.focalLength.x
    var difference: Double?
    if let plain, let focal { difference = 100 * (plain.focal / focal - 1) }
    return .object([
      ("factory", .number(focal)),
      ("measured", .number(plain?.focal)),
      ("sigma", .number(plain?.focalSigma)),
      ("differencePercent", .number(difference)),
      (
        "differencePlusMinusPercent",
        .number(plain.flatMap { plain in focal.map { 100 * plain.focalSigma / $0 } })
      ),
      ("splitHalfPercent", .number(plain?.splitHalfPercent)),
      ("splitHalfPlusMinusPercent", .number(plain?.splitHalfSigmaPercent)),
      ("given", .number(given?.camera.intrinsics.focalLength.x)),
      ("givenSigma", .number(given?.focalSigma)),
    ])
  }

  private var coverageDocument: JSONValue {
    guard let coverage else { return .null }
    let cells = coverage.cells
    let columns: [Double] = cells.map { $0.count > 0 ? $0.meanResidual.x : .nan }
    let rows: [Double] = cells.map { $0.count > 0 ? $0.meanResidual.y : .nan }
    return .object([
      ("areaFraction", .number(coverage.areaShare)),
      ("radiusFraction", .number(coverage.radiusShare)),
      ("columns", .integer(ViewCoverage.columns)),
      ("rows", .integer(ViewCoverage.rows)),
      ("corners", .numbers(cells.map { Double($0.count) })),
      ("residualXPixels", .numbers(columns)),
      ("residualYPixels", .numbers(rows)),
    ])
  }

  private static func depth(_ depth: DepthAgainstBoard?) -> JSONValue {
    guard let depth else { return .null }
    return .object([
      ("medianMillimeters", Self.millimeters(depth.differences.median)),
      ("plusMinusMillimeters", Self.millimeters(depth.differenceSigmaMeters)),
      ("madMillimeters", Self.millimeters(depth.differences.medianAbsoluteDeviation)),
      ("distanceMillimeters", Self.millimeters(depth.distanceMeters)),
      ("frames", .integer(depth.frames.count)),
      ("frontal", .bool(depth.isFrontal)),
      ("histogram", Self.histogram(depth)),
    ])
  }

  /// Counts in bins of 0.5 mm over what was found.
  private static func histogram(_ depth: DepthAgainstBoard) -> JSONValue {
    let width = 0.5
    let bins = depth.frames.flatMap(\.sortedDifferences).map {
      Int((min(max(1000 * $0, -500), 500) / width).rounded(.down))
    }
    guard let first = bins.min(), let last = bins.max() else { return .null }
    var counts = [Int](repeating: 0, count: last - first + 1)
    for bin in bins { counts[bin - first] += 1 }
    return .object([
      ("firstMillimeters", .number(Double(first) * width)),
      ("binMillimeters", .number(width)),
      ("counts", .numbers(counts.map(Double.init))),
    ])
  }
}

extension LensEstimate {
  /// One entry of `models`.
  var document: JSONValue {
    .object([
      ("name", .string(lens.rawValue)),
      ("focal", .number(focal)),
      ("sigma", .number(focalSigma)),
      ("rmsPixels", .number(rmsPixels)),
      ("rmsOfAllPixels", .number(fit.rmsOfAllPixels)),
      ("leftOutRmsPixels", .number(leftOut?.rmsPixels)),
      ("leftOutOuterRmsPixels", .number(leftOut?.outerRMSPixels)),
      ("splitHalfPercent", .number(splitHalfPercent)),
      ("splitHalfPlusMinusPercent", .number(splitHalfSigmaPercent)),
    ])
  }
}
