import Plumbline

/// The first words of an assessment, with their color as an SGR code of ECMA-48.
///
/// They differ for an estimate, whose pixels were not measured one by one even when it was brought to
/// scale, for a geometry given without a ±, since the meters are only as good as that, and for meters
/// that are the user's own word.
struct VerdictHeadline {
  let word: String
  let color: String
  /// The ± of lengths where it is large; `nil` elsewhere.
  var lengthPercent: Double?

  /// The words with the limit of lengths.
  var text: String {
    word + (lengthPercent.map { ", LENGTHS TO ± \($0.fixed(1)) %" } ?? "")
  }

  /// The headline of a verdict.
  init(
    _ verdict: Verdict, isEstimate: Bool, isGeometryAssumed: Bool, isStated: Bool = false,
    limits: [MeasurementLimit] = []
  ) {
    (word, color) =
      switch verdict {
      case _ where isEstimate && verdict.isMeasurable: ("ESTIMATE, NOT MEASURED", "33")
      case _ where isGeometryAssumed && verdict.isMeasurable:
        ("METERS AS TOLD, NOT MEASURED", "33")
      case _ where isStated && verdict.isMeasurable: ("MEASURABLE, AS YOU SAID", "33")
      case .measurable: ("MEASURABLE", "32")
      case .corrected: ("MEASURABLE AFTER CORRECTION", "32")
      case .relative: ("RELATIVE ONLY", "33")
      case .untrusted: ("DO NOT MEASURE", "31")
      }
    lengthPercent = limits.first { $0.quantity == .length }?.lengthPercent
  }

  /// The headline of one capture.
  init(_ check: CaptureAnalysis) {
    self.init(
      check.assessment.verdict, isEstimate: check.capture.estimate != nil,
      isGeometryAssumed: check.assessment.isGeometryAssumed, isStated: check.assessment.isStated,
      limits: check.assessment.limits)
  }

  /// The headline of a recording: that of the frame that stands for all.
  init(_ check: RecordingAnalysis) {
    let chosen = check.frames[check.chosenIndex]
    self.init(
      check.verdict,
      isEstimate: chosen.findings.contains {
        $0.code == .estimateFitted || $0.code == .estimateUnfitted
      },
      isGeometryAssumed: chosen.isGeometryAssumed, isStated: chosen.isStated,
      limits: chosen.limits)
  }
}

extension [ToleranceAnswer] {
  /// What the capture is good for, such as `For 1%: depth yes, lengths no: ± 6.5 %.`; `nil` without
  /// needs.
  var line: String? {
    sentence.map { "For \(map(\.need.text).joined(separator: ", ")): \($0)." }
  }
}
