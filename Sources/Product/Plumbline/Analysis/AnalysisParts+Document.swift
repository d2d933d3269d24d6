package import PlumblineIO
package import PlumblineModel
import PlumblineVerification

extension MeasurementLimit {
  /// One entry of a document's `limits`.
  var document: JSONValue {
    .object([
      ("quantity", .string(quantity.rawValue)),
      ("lengthPercent", .number(lengthPercent)),
      ("message", .string(message)),
    ])
  }
}

extension ToleranceAnswer {
  /// One entry of a document's `needs`.
  var document: JSONValue {
    .object([
      ("need", .string(need.text)),
      ("met", .bool(isMet)),
      ("value", .number(value)),
      ("unit", .string(unit)),
      (
        "parts",
        .array(
          parts.map { part in
            .object([
              ("quantity", .string(part.quantity.rawValue)), ("met", .bool(part.isMet)),
              ("value", .number(part.value)),
            ])
          })
      ),
    ])
  }
}

extension CaptureSource {
  /// The `source` of a document.
  var document: JSONValue {
    .object([
      ("make", .string(make)),
      ("model", .string(model)),
      ("lens", .string(lensModel)),
      ("os", .string(system)),
      ("camera", .string(camera.rawValue)),
      ("api", .string(interface.rawValue)),
      ("capturedAt", .string(capturedAt)),
    ])
  }
}

extension Finding {
  /// One entry of a document's `findings`.
  package var document: JSONValue {
    .object([
      ("code", .string(code.rawValue)),
      ("severity", .string(severity.rawValue)),
      ("message", .string(message)),
      (
        "effect",
        .object([
          ("zMillimeters", .number(effect.zMillimeters)),
          ("lengthPercent", .number(effect.lengthPercent)),
        ])
      ),
      ("evidence", .string(evidence)),
      ("correction", .string(correction.rawValue)),
      (
        "remedies",
        .array(
          remedies.map { remedy in
            .object([("code", .string(remedy.rawValue)), ("sentence", .string(remedy.sentence))])
          })
      ),
    ])
  }
}

extension ProvenanceStep {
  /// One entry of a document's `provenance`.
  var document: JSONValue {
    .object([("step", .string(name)), ("detail", .string(detail))])
  }
}
