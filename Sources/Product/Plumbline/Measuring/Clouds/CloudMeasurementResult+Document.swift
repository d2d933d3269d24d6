public import PlumblineIO
import PlumblineModel

extension CloudMeasurementResult {
  /// The document `plumbline.measure/1` of a cloud, as `Documentation/cli.md` describes it.
  ///
  /// - Parameters:
  ///   - cloud: The cloud that was measured.
  ///   - plan: The path of the floor plan that was written; `nil` for none.
  /// - Returns: The document; what is unknown is `null`.
  public func document(of cloud: MeasurableCloud, plan: String? = nil) -> JSONValue {
    .object([
      ("schema", "plumbline.measure/1"), ("file", .string(cloud.fileName)),
      ("sha256", .string(cloud.sha256)),
      ("cloud", cloud.document), ("measurements", .array(measurements.map(\.document))),
      ("believable", .bool(isBelievable)), ("verdict", .null), ("reason", .null),
      ("basis", .string(cloud.statements.basis)), ("findings", .array([])),
      ("outputs", .object([("image", .null), ("plan", .string(plan))])),
    ])
  }
}

extension MeasurableCloud {
  /// What is known of the cloud.
  fileprivate var document: JSONValue {
    .object([
      ("points", .integer(count)), ("frame", .string(frame)),
      ("unit", .string(isRelative ? nil : "m")), ("unitStated", .bool(statesUnit)),
      ("sigma", .bool(hasSigma)), ("triangles", triangleCount.map { .integer($0) } ?? .null),
    ])
  }
}

extension CloudMeasurement {
  /// One entry of `measurements`.
  fileprivate var document: JSONValue {
    CaptureMeasurement.document(
      kind: request.kind, name: name, value, reasons: reasons, points: places.map(\.document),
      rectangle: request.region?.description)
  }
}

extension CloudMeasurement.Place {
  /// One entry of `points`: it has no pixels.
  fileprivate var document: JSONValue {
    .object([
      ("photo", .null), ("depth", .null), ("named", .numbers([named.x, named.y, named.z])),
      ("meters", .numbers(meters.map { [$0.x, $0.y, $0.z] })),
      ("offset", .number(offsetMeters)), ("sigma", .number(sigmaMeters)),
    ])
  }
}
