public import PlumblineCorrection
import PlumblineExport
import PlumblineImages
public import PlumblineIO
import PlumblineModel
import PlumblineVerification

/// A capture before and after a list of corrections, assessed both times: what ``CaptureCorrector``
/// returns.
public struct CorrectionResult: Sendable {
  /// The capture as it was read, with its assessment.
  public var before: CaptureAnalysis
  /// The corrected capture, with its assessment.
  public var after: CaptureAnalysis
  /// The steps as they were applied, in order.
  public var applications: [CorrectionApplication]
  /// Which stored pixel of the map each pixel of the result is; `nil` when none moved.
  public var depthMap: NearestPixelMap?
}

extension CorrectionResult {
  /// The corrected capture as files in memory: color, depth in three forms, the map of pixels, the
  /// calibration with its ±, and what was done.
  ///
  /// Cost: O(*n*).
  public var files: [Extraction.File] {
    var files: [Extraction.File] = []
    func add(_ name: String, _ bytes: [UInt8]) {
      files.append(Extraction.File(name: name, bytes: bytes))
    }
    if let color = after.capture.color { add("color.png", PNGEncoder().encoded(color)) }
    if let corrected = after.corrected {
      files += Extraction.files(
        of: corrected.depth, isMetric: corrected.isMetric, origin: after.origin)
    }
    if let depthMap {
      add(
        "depth-source.npy",
        NPYWriter().bytes(Raster(size: depthMap.size, samples: depthMap.sources)))
    }
    if let document = after.calibrationDocument {
      add("calibration.json", JSONWriter().bytes(document.json))
    }
    add("provenance.json", JSONWriter().bytes(document()))
    return files
  }

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
