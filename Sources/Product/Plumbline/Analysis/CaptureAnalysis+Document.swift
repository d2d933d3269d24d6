import PlumblineImages
public import PlumblineIO
import PlumblineModel
public import PlumblineVerification

extension CaptureAnalysis {
  /// The document `plumbline.check/1`, as `Documentation/cli.md` describes it.
  ///
  /// - Parameters:
  ///   - report: The path of the report that was written; `nil` for none.
  ///   - cloud: The path of the cloud that was written; `nil` for none.
  ///   - needs: What the capture has to be good for.
  /// - Returns: The document; what is unknown is `null`.
  public func document(
    report: String? = nil, cloud: String? = nil, needs: [Tolerance] = []
  ) -> JSONValue {
    .object([
      ("schema", "plumbline.check/1"),
      ("file", .string(fileName)),
      ("sha256", .string(sha256)),
      ("source", capture.source.document),
      ("depth", depthDocument),
      ("calibration", calibrationSummary),
      ("findings", .array(assessment.findings.map(\.document))),
      ("verdict", .string(assessment.verdict.rawValue)),
      ("headline", headline.document),
      ("reason", .string(assessment.reason)),
      ("limits", .array(assessment.limits.map(\.document))),
      ("needs", .array(needs.map { $0.answer(for: assessment.accuracy).document })),
      ("uncertainty", uncertaintyDocument),
      ("knownDistances", .array(distances.map(\.document))),
      ("provenance", .array(capture.provenance.map(\.document))),
      ("outputs", .object([("report", .string(report)), ("cloud", .string(cloud))])),
    ])
  }

  private var depthDocument: JSONValue {
    guard let record = capture.depth else { return .null }
    let statistics = assessment.statistics
    let isMetric = corrected?.isMetric ?? false
    let median = statistics?.medianMeters
    let sigma = median.flatMap { assessment.uncertainty?.total.sigmaMeters(atDepth: $0) }
    let type = record.nativeType ?? record.storedType
    return .object([
      ("width", .integer(corrected?.depth.size.width)),
      ("height", .integer(corrected?.depth.size.height)),
      ("storedWidth", .integer(record.size.width)),
      ("storedHeight", .integer(record.size.height)),
      ("storedType", .string(record.storedType)),
      ("nativeType", .string(type)),
      ("kind", .string(record.values.word)),
      ("accuracy", .string(record.accuracy == .unknown ? nil : record.accuracy.rawValue)),
      ("unit", .string(isMetric ? "m" : nil)),
      ("filtered", .bool(record.isFiltered)),
      ("quality", .string(record.quality)),
      ("minMeters", .number(statistics?.minimumMeters)),
      ("medianMeters", .number(median)),
      ("maxMeters", .number(statistics?.maximumMeters)),
      ("validFraction", .number(statistics?.validFraction)),
      ("stepMillimetersAtMedian", .number(assessment.stepMillimetersAtMedian)),
      ("sigmaMillimetersAtMedian", .number(isMetric ? sigma.map { $0 * 1000 } : nil)),
    ])
  }

  private var calibrationSummary: JSONValue {
    let reference = capture.depth?.calibration
    let camera = corrected?.calibration?.intrinsics
    let distortion =
      switch reference?.distortion.map({ $0.undistorting ?? $0.distorting }) {
      case .some(.table): "table"
      case .some(.coefficients): "coefficients"
      default: "none"
      }
    return .object([
      ("present", .bool(reference != nil)),
      ("trusted", .bool(assessment.isCalibrationTrusted)),
      ("fx", .number(camera?.focalLength.x)),
      ("fy", .number(camera?.focalLength.y)),
      ("cx", .number(camera?.principalPoint.x)),
      ("cy", .number(camera?.principalPoint.y)),
      ("referenceFx", .number(reference?.intrinsics.focalLength.x)),
      ("referenceFy", .number(reference?.intrinsics.focalLength.y)),
      ("referenceCx", .number(reference?.intrinsics.principalPoint.x)),
      ("referenceCy", .number(reference?.intrinsics.principalPoint.y)),
      ("referenceWidth", .integer(reference?.intrinsics.size.width)),
      ("referenceHeight", .integer(reference?.intrinsics.size.height)),
      ("pixelSizeMillimeters", .number(reference?.pixelSizeMillimeters)),
      ("distortion", .string(distortion)),
      ("rectified", .string(assessment.isRectified.map { $0 ? "yes" : "no" } ?? "unknown")),
    ])
  }

  private var uncertaintyDocument: JSONValue {
    guard let uncertainty = assessment.uncertainty, let median = assessment.statistics?.medianMeters
    else { return .null }
    let isMetric = corrected?.isMetric ?? false
    func millimeters(_ curve: SigmaCurve?) -> JSONValue {
      .number(isMetric ? curve.map { $0.sigmaMeters(atDepth: median) * 1000 } : nil)
    }
    return .object([
      ("zMillimeters", millimeters(uncertainty.total)),
      ("lengthPercent", .number(uncertainty.lengthPercent)),
      ("basis", .string(uncertainty.basis)),
      (
        "parts",
        .object([
          ("quantizationMillimeters", millimeters(uncertainty.quantization)),
          ("sensorMillimeters", millimeters(uncertainty.sensor)),
          ("calibrationMillimeters", millimeters(uncertainty.calibration)),
        ])
      ),
    ])
  }
}
