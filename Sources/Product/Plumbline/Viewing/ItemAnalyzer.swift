import PlumblineModel
import PlumblineRecordings
import PlumblineVerification
import Synchronization

/// Analyzes all frames of an item in one pass: their times, poses and assessments, reported while it runs.
final class ItemAnalyzer: Sendable {
  /// The facts and assessments so far.
  struct Progress {
    /// The facts of the frames so far, from the first on.
    var facts: [FrameFacts] = []
    /// Their assessments.
    var assessments: [RecordingAnalysis.Frame] = []
    /// The assessment of all; `nil` until the last frame was read.
    var result: Result?
    fileprivate var isStarted = false
    fileprivate var isCanceled = false
  }

  /// The result for all frames.
  struct Result {
    var verdict: Verdict
    var headline: VerdictHeadline
    var findings: [MergedFinding]
    var gaps: [ClockAssessment.Gap]
  }

  private let item: ViewedItem
  private let progress = Mutex(Progress())

  init(_ item: ViewedItem) { self.item = item }

  /// The facts and assessments so far.
  var known: Progress { progress.withLock { $0 } }

  /// The assessment of all; `nil` until it is known.
  var result: Result? { progress.withLock { $0.result } }

  /// Reads and assesses all frames on this thread; does nothing if another thread has begun to.
  func run() {
    let isFirst = progress.withLock { progress in
      defer { progress.isStarted = true }
      return !progress.isStarted && !progress.isCanceled
    }
    if isFirst { readAll() }
  }

  /// Ends after the frame at hand.
  func cancel() { progress.withLock { $0.isCanceled = true } }

  /// Waits for the end, but no longer than this.
  func wait(atMostSeconds limit: Double) async {
    let clock = ContinuousClock()
    let end = clock.now.advanced(by: .seconds(limit))
    var pause = Duration.milliseconds(2)
    while clock.now < end, !Task.isCancelled {
      if progress.withLock({ $0.result != nil || $0.isCanceled }) { return }
      try? await Task.sleep(for: pause)
      pause = min(pause * 2, .milliseconds(50))
    }
  }

  private func readAll() {
    let frames = item.recording.frames
    var analyzer = CaptureAnalyzer()
    analyzer.catalog = item.catalog
    for (index, frame) in frames.enumerated() {
      let facts: FrameFacts
      let assessment: RecordingAnalysis.Frame
      do {
        let capture = try item.capture(at: index, for: .assessment)
        facts = FrameFacts(capture, name: frame.name, timestampSeconds: frame.timestampSeconds)
        assessment = analyzer.frame(named: frame.name) { capture }
      } catch {
        facts = FrameFacts(
          unreadable: "\(error)", name: frame.name, timestampSeconds: frame.timestampSeconds)
        assessment = RecordingAnalysis.Frame(unreadable: "\(error)", name: frame.name)
      }
      let isCanceled = progress.withLock { progress in
        progress.facts.append(facts)
        progress.assessments.append(assessment)
        return progress.isCanceled
      }
      if isCanceled { return }
    }
    let known = known
    let result = Self.result(of: item, known.facts, known.assessments)
    progress.withLock { $0.result = result }
  }

  /// Verdict and findings as `check` gives them, and what `info` finds about clock and poses.
  private static func result(
    of item: ViewedItem, _ facts: [FrameFacts], _ assessments: [RecordingAnalysis.Frame]
  ) -> Result {
    let check = RecordingAnalysis(item.recording, folderName: item.name, frames: assessments)
    guard !item.isPhoto else {
      return Result(
        verdict: check.verdict, headline: check.headline, findings: check.findings, gaps: [])
    }
    let clock = ClockAssessment(facts)
    let whole =
      clock.findings + TrajectoryAssessment(facts).findings
    let reported = Set(check.findings.map(\.finding.code))
    let unreported = whole.filter { !reported.contains($0.code) }.map { MergedFinding(of: $0) }
    let order: [Finding.Severity] = [.fault, .caution, .note]
    let all = check.findings + unreported
    return Result(
      verdict: check.verdict, headline: check.headline,
      findings: order.flatMap { severity in all.filter { $0.finding.severity == severity } },
      gaps: clock.gaps)
  }
}
