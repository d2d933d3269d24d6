import PlumblineCorrection
public import PlumblineModel
import PlumblineNumerics
import PlumblineRecordings
public import PlumblineVerification

/// The frames of a recording, each assessed by itself, and what is said of all of them together:
/// what ``CaptureAnalyzer/analyzeFrames(of:named:progress:)`` returns.
public struct RecordingAnalysis: Sendable {
  /// The result of one frame.
  public struct Frame: Sendable {
    /// Its name.
    public var name: String
    /// Its verdict; a frame that cannot be read is `untrusted`.
    public var verdict: Verdict
    /// The verdict in a sentence, or why the frame cannot be read.
    public var reason: String
    /// Whether it could be read.
    public var isReadable: Bool
    /// The size of its depth map; `nil` without one.
    public var depthSize: RasterSize?
    /// The statistics of its corrected depths; `nil` without any.
    public var statistics: DepthStatistics?
    /// One standard deviation of its depths at their median, in millimeters; `nil` when unknown.
    public var sigmaMillimeters: Double?
    /// How far lengths across the image may be off, in percent; `nil` when unknown.
    public var lengthPercent: Double?
    /// How accurate it is; `nil` for a frame that cannot be measured in meters.
    public var accuracy: CaptureAccuracy?
    /// What keeps it from being good for every measurement.
    public var limits: [MeasurementLimit] = []
    /// Whether its depths are meters because the user said so.
    public var isStated = false
    /// What the user said of its depth map, in words.
    public var statements: [String] = []
    /// Its findings.
    public var findings: [Finding]
    /// When it was taken, by the recording's clock in seconds; `nil` when not given.
    var timestampSeconds: Double?
    /// The camera's pose; `nil` when not tracked.
    var worldFromCamera: RigidTransform?
    /// The ± of its depths, where the sensor is known and they are meters.
    var sigma: SigmaCurve?
    /// Whether its meters rest on a geometry that was given without a ±; see ``CaptureAssessment``.
    public var isGeometryAssumed: Bool { findings.contains(where: \.saysGeometryIsAssumed) }
  }

  /// The name that outputs carry.
  public var folderName: String
  /// The app or format that made the folder.
  public var layout: String
  /// The side of the board's squares in meters, where the folder says it.
  public var boardSquareMeters: Double?
  /// The frames in the order of their time.
  public var frames: [Frame]
  /// The findings of all frames, gravest first.
  public var findings: [MergedFinding]
  /// What the poses of the frames are worth; `nil` where no frame has one.
  public var poses: PoseAssessment?

  /// Joins the assessments of all frames of a sequence, and that of its poses.
  init(
    _ sequence: Recording, folderName: String, frames: [Frame], poses: PoseAssessment? = nil
  ) {
    precondition(!frames.isEmpty, "a sequence without frames cannot be judged")
    self.folderName = folderName
    layout = sequence.layout
    boardSquareMeters = sequence.boardSquareMeters
    self.frames = frames
    self.poses = poses
    // What a reader has said of poses is not said again.
    let told = Set((sequence.findings + frames.flatMap(\.findings)).map(\.code))
    findings = MergedFinding.merged(
      sequence.findings + (poses?.findings ?? []).filter { !told.contains($0.code) },
      frames: frames.map {
        MergedFinding.Frame(
          name: $0.name, problem: $0.isReadable ? nil : $0.reason, depthSize: $0.depthSize,
          findings: $0.findings)
      })
  }

  /// The verdict of the middle frame when frames are ordered from best to worst, of two middles
  /// the worse: what the larger part of the recording is good for.
  public var verdict: Verdict { frames[chosenIndex].verdict }

  /// The frame that stands for all: the first in time that has the overall verdict.
  public var chosenIndex: Int {
    let order: [Verdict] = [.measurable, .corrected, .relative, .untrusted]
    let ranks = frames.map { order.firstIndex(of: $0.verdict) ?? order.count }
    return ranks.upperMedian.flatMap { ranks.firstIndex(of: $0) } ?? 0
  }

  /// The names of the frames whose verdict is another than the overall one.
  public var differingFrameNames: [String] {
    frames.filter { $0.verdict != verdict }.map(\.name)
  }

  /// What the middle frame says to each need; see ``Tolerance/answer(forFrames:)``.
  public func answers(to needs: [Tolerance]) -> [ToleranceAnswer] {
    let accuracies = frames.map(\.accuracy)
    return needs.map { $0.answer(forFrames: accuracies) }
  }

  /// The middle of a number over the frames that have it, of two middles the lower; `nil` where
  /// none has it.
  public func median(_ number: (Frame) -> Double?) -> Double? {
    let sorted = frames.compactMap(number).sorted()
    return sorted.isEmpty ? nil : sorted[(sorted.count - 1) / 2]
  }
}

extension RecordingAnalysis.Frame {
  /// The result of a frame that was analyzed.
  init(_ analysis: CaptureAnalysis) {
    name = analysis.fileName
    let assessment = analysis.assessment
    verdict = assessment.verdict
    reason = assessment.reason
    isReadable = true
    depthSize = analysis.capture.depth?.size
    statistics = assessment.statistics
    lengthPercent = assessment.uncertainty?.lengthPercent
    let isMetric = analysis.corrected?.isMetric == true
    sigmaMillimeters = assessment.statistics?.medianMeters.flatMap { median in
      isMetric ? assessment.uncertainty.map { $0.total.sigmaMeters(atDepth: median) * 1000 } : nil
    }
    accuracy = assessment.accuracy
    limits = assessment.limits
    isStated = assessment.isStated
    statements = analysis.statements
    findings = assessment.findings
    timestampSeconds = analysis.capture.timestampSeconds
    worldFromCamera = analysis.capture.worldFromCamera
    sigma = assessment.uncertainty?.sensor == nil ? nil : analysis.metricSigma
  }

  /// What an assessment of poses needs of it.
  func facts(recordedAt seconds: Double?) -> FrameFacts {
    isReadable
      ? FrameFacts(
        name: name, timestampSeconds: timestampSeconds ?? seconds,
        worldFromCamera: worldFromCamera)
      : FrameFacts(unreadable: reason, name: name, timestampSeconds: seconds)
  }

  /// A frame that cannot be read, which is not to be trusted.
  init(unreadable reason: String, name: String) {
    self.name = name
    verdict = .untrusted
    self.reason = reason
    isReadable = false
    findings = []
  }
}
