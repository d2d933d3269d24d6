import ArgumentParser
import Plumbline

/// What `check` found out about one capture or recording, with the files that it wrote.
struct CheckResult: Sendable {
  /// What was analyzed.
  enum Subject: Sendable {
    case capture(CaptureAnalysis)
    /// With the analysis of the frame that stands for all; `nil` where none was made.
    case recording(RecordingAnalysis, chosen: CaptureAnalysis?)
  }

  let subject: Subject
  /// What the capture has to be good for.
  let needs: [Tolerance]
  /// The paths of the report and the cloud that were written; `nil` for none.
  var written: (report: String, cloud: String?)?

  /// The verdict.
  var verdict: Verdict {
    switch subject {
    case .capture(let check): check.assessment.verdict
    case .recording(let check, _): check.verdict
    }
  }

  /// What it says to each need.
  var answers: [ToleranceAnswer] {
    switch subject {
    case .capture(let check): needs.map { $0.answer(for: check.assessment.accuracy) }
    case .recording(let check, _): check.answers(to: needs)
    }
  }

  /// 0 where every need is met or, without needs, where it can be measured; else 1.
  var exitCode: ExitCode {
    let isGood = needs.isEmpty ? verdict.isMeasurable : answers.allSatisfy(\.isMet)
    return isGood ? .success : CommandExit.notMeasurable
  }

  /// The document `plumbline.check/1`.
  var document: JSONValue {
    switch subject {
    case .capture(let check):
      check.document(report: written?.report, cloud: written?.cloud, needs: needs)
    case .recording(let check, let chosen):
      check.document(
        chosen: chosen, report: written?.report, cloud: written?.cloud, needs: needs)
    }
  }

  /// The text for people.
  func text(usesColor: Bool, columns: Int?) -> String {
    switch subject {
    case .capture(let check):
      VerdictText(check: check, needs: needs, usesColor: usesColor, columns: columns).text
    case .recording(let check, _):
      SequenceText(check: check, needs: needs, usesColor: usesColor, columns: columns).text
    }
  }

  /// The first words of the verdict.
  var headline: VerdictHeadline {
    switch subject {
    case .capture(let check): check.headline
    case .recording(let check, _): check.headline
    }
  }

  /// The ± in one clause, such as `depth ± 1.8 mm at 0.46 m, lengths ± 0.5 %`; with needs what it is
  /// good for, and `–` where nothing is known.
  var accuracyWords: String {
    if let sentence = answers.sentence { return sentence }
    guard let (millimeters, meters, percent) = accuracy else { return "–" }
    let lengths = percent.map { ", lengths ± \($0.fixed($0 < 0.095 ? 3 : 1)) %" } ?? ""
    let noise = isNoiseUnknown ? " (steps alone)" : ""
    return "depth ± \(millimeters.fixed(1)) mm at \(meters.fixed(2)) m\(noise)\(lengths)"
  }

  /// Whether the ± of depth is without the noise of the sensor.
  private var isNoiseUnknown: Bool {
    let limits =
      switch subject {
      case .capture(let check): check.assessment.limits
      case .recording(let check, _): check.frames[check.chosenIndex].limits
      }
    return limits.contains { $0.quantity == .depth }
  }

  private var accuracy: (millimeters: Double, meters: Double, percent: Double?)? {
    guard verdict.isMeasurable else { return nil }
    switch subject {
    case .capture(let check):
      let uncertainty = check.assessment.uncertainty
      guard let meters = check.assessment.statistics?.medianMeters, let uncertainty else {
        return nil
      }
      return (
        uncertainty.total.sigmaMeters(atDepth: meters) * 1000, meters, uncertainty.lengthPercent
      )
    case .recording(let check, _):
      guard let millimeters = check.median(\.sigmaMillimeters),
        let meters = check.median({ $0.statistics?.medianMeters })
      else { return nil }
      return (millimeters, meters, check.median(\.lengthPercent))
    }
  }
}
