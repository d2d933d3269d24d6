import PlumblineIO
import PlumblineModel
public import PlumblineVerification

extension CaptureAnalysis {
  /// The first words that are said of the capture; O(1).
  public var headline: VerdictHeadline {
    VerdictHeadline(
      assessment.verdict, isEstimate: capture.estimate != nil,
      isGeometryAssumed: assessment.isGeometryAssumed, isStated: assessment.isStated,
      isDepthUncertain: assessment.isDepthUncertain, limits: assessment.limits)
  }
}

extension RecordingAnalysis {
  /// The first words that are said of the recording: those of the frame that stands for all.
  ///
  /// Cost: O(*n*) of the frames.
  public var headline: VerdictHeadline {
    let chosen = frames[chosenIndex]
    return VerdictHeadline(
      chosen.verdict,
      isEstimate: chosen.findings.contains {
        $0.code == .estimateFitted || $0.code == .estimateUnfitted
      },
      isGeometryAssumed: chosen.isGeometryAssumed, isStated: chosen.isStated,
      isDepthUncertain: chosen.findings.contains(where: \.saysDepthIsUncertain),
      limits: chosen.limits)
  }
}

extension VerdictHeadline {
  /// The member `headline` of a document.
  var document: JSONValue {
    .object([("words", .string(words)), ("tone", .string(tone.rawValue))])
  }
}
