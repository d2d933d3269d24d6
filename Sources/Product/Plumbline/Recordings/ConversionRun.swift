import PlumblineCorrection
import PlumblineIO
import PlumblineModel
import PlumblineRecordings
import PlumblineStreams

/// A conversion on its way: writes frames in their order and gathers what is said about them.
struct ConversionRun {
  private var writer: any RecordingWriter
  private let motion: RecordedMotion
  private let hasColor: Bool
  private var held: HeldAspects
  private var frameCount = 0
  private var motionCount = 0
  private var skipped: [ConversionSummary.SkippedFrame] = []
  private var failure: (any Error)?
  private var earlierSteps = StepCounts()
  private var appliedSteps = StepCounts()

  /// Begins with a writer before its first frame.
  init(
    _ writer: any RecordingWriter, motion: RecordedMotion, findings: [Finding], hasColor: Bool
  ) {
    self.writer = writer
    self.motion = motion
    self.hasColor = hasColor
    held = HeldAspects(findings: findings)
    if !motion.samples.isEmpty { held.aspects.insert(.motion) }
  }

  /// Writes the next frame.
  ///
  /// - Returns: The report of its transform; `nil` for a frame that is left out.
  /// - Throws: What ends the conversion.
  mutating func append<Report>(
    _ frame: Result<FrameSource<Report>.Frame, any Error>, named name: String
  ) throws -> Report? {
    do {
      let ready = try frame.get()
      let transformed = try ready.rest()
      var capture = transformed.capture
      // A map with a camera of its own needs none of an image that is not written.
      if !hasColor, capture.depth?.calibration != nil { capture.colorCalibration = nil }
      held.note(capture, hasColor: hasColor)
      // Streams are in the order of time: what was felt before the frame goes before it.
      if let time = capture.timestampSeconds {
        let samples = motion.samples
        let upTo =
          samples[motionCount...].firstIndex { $0.timestampSeconds > time } ?? samples.count
        try writer.append(motion: Array(samples[motionCount..<upTo]))
        motionCount = upTo
      }
      try writer.append(capture, name: name)
      frameCount += 1
      earlierSteps.add(ready.provenance.corrections)
      appliedSteps.add(capture.provenance.dropFirst(ready.provenance.count))
      return transformed.report
    } catch let error as RecordingWritingError {
      guard case .unrepresentable(_, _, _, _, let remedy) = error else { throw error }
      skip(name, error, .unrepresentable, remedy, as: error)
    } catch let error as CaptureReadingError {
      skip(name, error, .unreadable, as: error.inside("frame \(printable(text: name))"))
    } catch let error as CorrectionError {
      var named = error
      named.step += " of frame \(printable(text: name))"
      skip(name, error, .unfit, as: named)
    }
    return nil
  }

  private mutating func skip(
    _ name: String, _ error: any Error, _ cause: ConversionSummary.SkippedFrame.Cause,
    _ remedy: Remedy? = nil, as whole: any Error
  ) {
    skipped.append(
      ConversionSummary.SkippedFrame(
        name: name, reason: "\(error)", cause: cause, remedy: remedy, error: error))
    failure = failure ?? whole
  }

  /// Writes the end.
  ///
  /// - Parameters:
  ///   - format: The format that was written.
  ///   - isAtEnd: Whether the last frame was the recording's.
  /// - Returns: What was written, and what was left out.
  /// - Throws: Why the first frame cannot be written, where none can; `.output`.
  mutating func finish(
    _ format: RecordingFormat, isAtEnd: Bool
  ) throws -> ConversionSummary {
    if frameCount == 0, let failure { throw failure }
    // What was felt after the last frame belongs to a recording that is written to its end.
    if isAtEnd {
      try writer.append(motion: Array(motion.samples[motionCount...]))
      motionCount = motion.samples.count
    }
    try writer.finish()
    return ConversionSummary(
      format: format, frameCount: frameCount, skipped: skipped,
      colorlessFrames: held.colorlessFrames, colorlessReason: held.colorlessReason,
      motionCount: format.aspects.contains(.motion) ? motionCount : 0,
      unreadableMotionCount: motion.unreadableCount,
      firstUnreadableMotion: motion.firstUnreadable, leftOut: held.leftOut(by: format),
      appliedSteps: appliedSteps.counts, earlierSteps: earlierSteps.counts)
  }
}

/// Counts in how many frames each step is.
struct StepCounts {
  /// The steps in the order in which they were first seen.
  private(set) var counts: [ConversionSummary.StepCount] = []

  /// Counts each kind of step of a frame once.
  mutating func add(_ steps: some Sequence<ProvenanceStep>) {
    var seen: Set<String> = []
    for step in steps where seen.insert(step.name).inserted {
      if let index = counts.firstIndex(where: { $0.name == step.name }) {
        counts[index].frameCount += 1
      } else {
        counts.append(ConversionSummary.StepCount(name: step.name, frameCount: 1))
      }
    }
  }
}
