import PlumblineCorrection
public import PlumblineIO
import PlumblineModel
import PlumblineVerification

extension CaptureCorrectionRun {
  /// The document `plumbline.correct/1`, as `Documentation/cli.md` describes it; also what
  /// `provenance.json` holds.
  ///
  /// - Parameter outputs: The paths that were written; none for `provenance.json` itself.
  /// - Returns: The document; what is unknown is `null`.
  public func document(outputs: [String] = []) -> JSONValue {
    .object([
      ("schema", "plumbline.correct/1"),
      ("file", .string(before.fileName)),
      ("sha256", .string(before.sha256)),
      ("steps", .array(applications.map(\.document))),
      ("pixels", pixelsDocument),
      ("calibrationBefore", before.capture.depth?.calibration?.document ?? .null),
      ("calibrationAfter", after.capture.depth?.calibration?.document ?? .null),
      ("verdictBefore", .string(before.assessment.verdict.rawValue)),
      ("verdictAfter", .string(after.assessment.verdict.rawValue)),
      ("reason", .string(after.assessment.reason)),
      ("findingsAfter", .array(after.assessment.findings.map(\.document))),
      ("provenance", .array(after.capture.provenance.map(\.document))),
      ("outputs", .array(outputs.map { .string($0) })),
    ])
  }

  private var pixelsDocument: JSONValue {
    let stored = before.capture.depth?.size
    let meaning =
      "depth-source.npy holds, for each pixel of the map, the stored pixel that it is, as "
      + "row * storedWidth + column, or -1; writing each depth back there undoes all steps"
    return .object([
      ("moved", .bool(depthMap != nil)),
      ("storedWidth", .integer(stored?.width)),
      ("storedHeight", .integer(stored?.height)),
      ("lost", .integer(depthMap?.lostCount ?? 0)),
      ("meaning", .string(meaning)),
    ])
  }
}

extension CorrectionApplication {
  /// One entry of `steps`.
  var document: JSONValue {
    .object([
      ("step", .string(step.name)), ("detail", .string(step.detail)),
      ("before", effect.before.document), ("after", effect.after.document),
      ("undoing", .string(undoing)),
    ])
  }
}

extension CorrectionEffect.Deviation {
  /// The three numbers; `null` where unknown.
  var document: JSONValue {
    .object([
      ("zMillimeters", .number(zMillimeters)), ("lengthPercent", .number(lengthPercent)),
      ("pixels", .number(pixels)),
    ])
  }
}
