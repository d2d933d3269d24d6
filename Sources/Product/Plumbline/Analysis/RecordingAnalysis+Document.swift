public import PlumblineIO
import PlumblineModel
public import PlumblineVerification

extension RecordingAnalysis {
  /// The document `plumbline.check/1` of a folder, as `Documentation/cli.md` describes it: that of
  /// the frame that stands for all, with verdict and findings of all frames and `frames` itself.
  ///
  /// - Parameters:
  ///   - chosen: The check of the frame that stands for all.
  ///   - report: The path of the report that was written; `nil` for none.
  ///   - cloud: The path of the cloud that was written; `nil` for none.
  ///   - needs: What the recording has to be good for.
  /// - Returns: The document; what is unknown is `null`.
  public func document(
    chosen: CaptureAnalysis?, report: String? = nil, cloud: String? = nil,
    needs: [Tolerance] = []
  ) -> JSONValue {
    let unread = JSONValue.object([
      ("schema", "plumbline.check/1"), ("file", .string(folderName)), ("sha256", .null),
      ("source", .null), ("depth", .null), ("calibration", .null), ("findings", .null),
      ("verdict", .null), ("headline", .null),
      ("reason", .string(frames[chosenIndex].reason)),
      ("limits", .array([])), ("needs", .null), ("uncertainty", .null), ("provenance", .array([])),
      ("outputs", .object([("report", .string(report)), ("cloud", .string(cloud))])),
    ])
    let base = chosen?.document(report: report, cloud: cloud) ?? unread
    let replaced: [String: JSONValue] = [
      "file": .string(folderName), "sha256": .null,
      "findings": .array(findings.map(\.document)), "verdict": .string(verdict.rawValue),
      "headline": headline.document,
      "needs": .array(answers(to: needs).map(\.document)),
    ]
    var members = base.members.map { (key: $0.key, value: replaced[$0.key] ?? $0.value) }
    members += [
      ("layout", .string(layout)),
      ("frame", .string(frames[chosenIndex].name)),
      ("boardSquareMillimeters", .number(boardSquareMeters.map { $0 * 1000 })),
      ("differingFrames", .array(differingFrameNames.map { .string($0) })),
      (
        "medians",
        .object([
          ("medianMeters", .number(median { $0.statistics?.medianMeters })),
          ("validFraction", .number(median { $0.statistics?.validFraction })),
          ("sigmaMillimetersAtMedian", .number(median(\.sigmaMillimeters))),
          ("lengthPercent", .number(median(\.lengthPercent))),
        ])
      ),
      ("frames", .array(frames.map(\.document))),
      ("poses", poses?.document ?? .null),
    ]
    return .object(members)
  }
}

extension RecordingAnalysis.Frame {
  /// One entry of `frames`.
  var document: JSONValue {
    .object([
      ("name", .string(name)),
      ("verdict", .string(verdict.rawValue)),
      ("reason", .string(reason)),
      ("readable", .bool(isReadable)),
      ("medianMeters", .number(statistics?.medianMeters)),
      ("validFraction", .number(statistics?.validFraction)),
      ("sigmaMillimetersAtMedian", .number(sigmaMillimeters)),
      ("lengthPercent", .number(lengthPercent)),
      ("findings", .array(findings.map { .string($0.code.rawValue) })),
    ])
  }
}

extension MergedFinding {
  /// One entry of `findings`, with the count of its frames and the worst one.
  var document: JSONValue {
    let members = finding.document.members.map { (key: $0.key, value: $0.value) }
    return .object(
      members + [
        ("frames", .integer(worstFrame == nil ? nil : frameNames.count)),
        ("worstFrame", .string(worstFrame)),
      ])
  }
}
