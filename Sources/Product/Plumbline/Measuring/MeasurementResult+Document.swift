public import PlumblineIO
import PlumblineModel
import PlumblineVerification

extension MeasurementResult {
  /// The document `plumbline.measure/1`, as `Documentation/cli.md` describes it.
  ///
  /// - Parameters:
  ///   - analysis: The capture that was measured.
  ///   - image: The path of the annotated image that was written; `nil` for none.
  /// - Returns: The document; what is unknown is `null`.
  public func document(of analysis: CaptureAnalysis, image: String? = nil) -> JSONValue {
    let assessment = analysis.assessment
    return .object([
      ("schema", "plumbline.measure/1"), ("file", .string(analysis.fileName)),
      ("sha256", .string(analysis.sha256)),
      ("measurements", .array(measurements.map(\.document))),
      ("believable", .bool(isBelievable)),
      ("verdict", .string(assessment.verdict.rawValue)), ("reason", .string(assessment.reason)),
      ("basis", .string(assessment.uncertainty?.basis)),
      ("findings", .array(assessment.findings.map(\.document))),
      ("outputs", .object([("image", .string(image))])),
    ])
  }
}

extension CaptureMeasurement {
  /// One entry of `measurements`.
  var document: JSONValue {
    Self.document(
      kind: request.kind, name: name, value, reasons: reasons, points: places.map(\.document),
      rectangle: request.rectangle?.description,
      scatter: scatterDocument(factor: value?.documentFactor ?? 1))
  }

  /// One entry of `measurements`, of a capture or of a cloud.
  static func document(
    kind: String, name: String?, _ value: MeasuredValue?, reasons: [String], points: [JSONValue],
    rectangle: String?, scatter: JSONValue = .null
  ) -> JSONValue {
    let number = value.map { $0.inDocumentUnits }
    return .object([
      ("kind", .string(kind)), ("name", .string(name)),
      ("value", .number(number?.value)), ("unit", .string(number?.unit)),
      ("sigma", .number(number?.sigma)),
      (
        "parts",
        .object([
          ("sensor", .number(number?.sensor)), ("calibration", .number(number?.calibration)),
          ("scale", .number(number?.scale)),
        ])
      ),
      ("believable", .bool(value != nil && reasons.isEmpty)),
      ("reason", .string(reasons.isEmpty ? nil : reasons.joined(separator: " "))),
      ("points", .array(points)), ("rectangle", .string(rectangle)), ("scatter", scatter),
    ])
  }

  private func scatterDocument(factor: Double) -> JSONValue {
    guard let scatter else { return .null }
    return .object([
      ("frames", .integer(scatter.frames)), ("mean", .number(factor * scatter.mean)),
      ("sigma", .number(scatter.sigma.map { factor * $0 })),
    ])
  }
}

extension CaptureMeasurement.Place {
  /// One entry of `points`.
  var document: JSONValue {
    .object([
      ("photo", .numbers([photo.x, photo.y])),
      ("depth", .array([.integer(depth.x), .integer(depth.y)])),
      ("meters", .numbers(meters.map { [$0.x, $0.y, $0.z] })),
      ("sigma", .number(sigmaMeters)),
    ])
  }
}

extension MeasuredValue {
  /// What a number is multiplied by for documents, whose angles are in degrees.
  var documentFactor: Double { unit == .radians ? 180 / .pi : 1 }

  /// The number as documents have it: lengths in `m`, angles in `deg`, areas in `m2`, volumes in `m3`; parts of a
  /// direction have the unit `1`.
  var inDocumentUnits:
    (
      value: Double, unit: String, sigma: Double?, sensor: Double?, calibration: Double?,
      scale: Double?
    )
  {
    let factor = documentFactor
    let word =
      switch unit {
      case .meters: "m"
      case .radians: "deg"
      case .squareMeters: "m2"
      case .cubicMeters: "m3"
      case .one: "1"
      }
    return (
      value * factor, word, sigma.map { $0 * factor }, sensor.map { $0 * factor },
      calibration.map { $0 * factor }, scale.map { $0 * factor }
    )
  }
}
