public import PlumblineIO
import PlumblineModel
import PlumblineStereo

extension StereoResult {
  /// The document `plumbline.stereo/1`, as `Documentation/cli.md` describes it; also what
  /// `stereo.json` holds.
  ///
  /// - Parameter outputs: The paths that were written; none for `stereo.json` itself.
  /// - Returns: The document; what is unknown is `null`.
  public func document(outputs: [String] = []) -> JSONValue {
    .object([
      ("schema", "plumbline.stereo/1"),
      ("file", .string(fileName)),
      ("sha256", .string(analysis.sha256)),
      ("source", analysis.capture.source.document),
      ("geometry", geometryDocument),
      ("rectified", rectifiedDocument),
      ("points", pointsDocument),
      ("matching", matchingDocument),
      ("depth", depthDocument),
      ("findings", .array(analysis.assessment.findings.map(\.document))),
      ("verdict", .string(analysis.assessment.verdict.rawValue)),
      ("reason", .string(analysis.assessment.reason)),
      ("provenance", .array(analysis.capture.provenance.map(\.document))),
      ("outputs", .array(outputs.map { .string($0) })),
    ])
  }

  private var geometryDocument: JSONValue {
    let calibration = geometry.calibration
    let known = calibration.uncertainty
    let turn = calibration.rightFromLeft.rotation.axisAngle * 180 / .pi
    let place = calibration.rightCenterInLeft
    let isMetric = calibration.isMetric
    return .object([
      ("basis", .string(geometry.basis.rawValue)),
      ("metric", .bool(isMetric)),
      ("baselineMillimeters", .number(isMetric ? calibration.baselineMeters * 1000 : nil)),
      (
        "baselineSigmaMillimeters",
        .number(isMetric ? known?.baselineMeters.map { $0 * 1000 } : nil)
      ),
      (
        "rightCenterInLeft",
        .numbers([place.x, place.y, place.z].map { $0 / calibration.baselineMeters })
      ),
      ("turnDegrees", .numbers([turn.x, turn.y, turn.z])),
      ("toldBaselineMillimeters", .number(geometry.toldBaselineMeters.map { $0 * 1000 })),
      ("focalLengthPixels", .number(calibration.left.intrinsics.focalLength.x)),
      (
        "focalLengthSigmaPixels",
        .number(known?.focalLengthShare.map { $0 * calibration.left.intrinsics.focalLength.x })
      ),
      ("rightFocalLengthPixels", .number(calibration.right.intrinsics.focalLength.x)),
      ("focalLengthBasis", .string(geometry.focalBasis)),
      ("width", .integer(calibration.left.intrinsics.size.width)),
      ("height", .integer(calibration.left.intrinsics.size.height)),
      ("pose", geometry.pose.map(Self.document) ?? .null),
    ])
  }

  private static func document(_ pose: RelativePose) -> JSONValue {
    let sigma = pose.rotationSigmaRadians * 180 / .pi
    return .object([
      ("points", .integer(pose.matches.count)),
      ("disagreeing", .integer(pose.disagreeingCount)),
      ("rmsPixels", .number(pose.rmsPixels)),
      ("turnSigmaDegrees", .numbers([sigma.x, sigma.y, sigma.z])),
      ("directionSigmaDegrees", .number(pose.directionSigmaRadians * 180 / .pi)),
    ])
  }

  private var rectifiedDocument: JSONValue {
    let camera = rectification.left
    let turned = Rotation(turning: rectification.turn) * rectification.rectifiedFromLeft
    return .object([
      ("width", .integer(camera.size.width)), ("height", .integer(camera.size.height)),
      ("focalLengthPixels", .number(rectification.focalLengthPixels)),
      ("cx", .number(camera.principalPoint.x)), ("cy", .number(camera.principalPoint.y)),
      ("offsetPixels", .number(rectification.principalOffsetPixels)),
      ("reduction", .number(reduction)),
      (
        "turn",
        .string(rectification.turn == .up ? "none" : "\(rectification.turn)")
      ),
      ("depthFromLeft", .numbers([turned.x, turned.y, turned.z].flatMap { [$0.x, $0.y, $0.z] })),
    ])
  }

  private var pointsDocument: JSONValue {
    func finite(_ value: Double) -> Double? { value.isFinite ? value : nil }
    return .object([
      ("found", .integer(survey.matchCount)),
      ("onOneRow", .integer(survey.agreeingCount)),
      ("verticalShiftPixels", .number(finite(survey.verticalShiftPixels))),
      ("verticalResidualPixels", .number(finite(survey.verticalResidualPixels))),
    ])
  }

  private var matchingDocument: JSONValue {
    .object([
      ("leastDisparity", .integer(disparities.lowerBound)),
      ("greatestDisparity", .integer(disparities.upperBound - 1)),
      ("rangeFromPoints", .bool(isRangeFound)),
      ("density", .number(density)),
      (
        "removed",
        .object([
          ("uncovered", .integer(match.removed.uncovered)),
          ("ambiguous", .integer(match.removed.ambiguous)),
          ("inconsistent", .integer(match.removed.inconsistent)),
          ("speckles", .integer(match.removed.speckles)),
        ])
      ),
      ("sigmaPixelsMedian", .number(medianSigmaPixels)),
    ])
  }

  private var depthDocument: JSONValue {
    let isMetric = geometry.calibration.isMetric
    let median = medianDepth
    let statistics = analysis.assessment.statistics
    return .object([
      ("unit", .string(isMetric ? "m" : nil)),
      ("min", .number(statistics?.minimumMeters)),
      ("median", .number(median?.depth)),
      ("max", .number(statistics?.maximumMeters)),
      ("sigmaAtMedian", .number(median?.sigma)),
      ("pixels", .integer(depthCount)),
      ("pixelsBeyondInfinity", .integer(missing.beyondInfinity)),
      ("pixelsTooUncertain", .integer(missing.uncertain)),
    ])
  }
}
