public import PlumblineCorrection
import PlumblineIO
public import PlumblineModel
import PlumblineRecordings

/// Corrects the frames of a recording one by one, as ``CaptureCorrector`` corrects a capture.
///
/// Color files stay as they are, byte by byte, unless a step moves their pixels.
public struct RecordingCorrection: RecordingTransform {
  /// What was done to one frame.
  public struct Report: Sendable {
    /// The steps in order, with the effect of each.
    public var steps: [(step: ProvenanceStep, effect: CorrectionEffect)]
    /// The frame before and after with both assessments; `nil` unless they were requested.
    public var result: CorrectionResult?
  }

  /// What is corrected.
  public var corrector: CaptureCorrector
  /// The device in place of the one that the frames name; `nil` for their own.
  public var deviceModel: String?
  /// Whether each frame is assessed before and after, for ``Report/result``: about 10 ms more for each
  /// assessment of 640×480 pixels.
  public var assessesFrames: Bool
  /// Whether a frame without a depth map is left out, instead of staying as it is where nothing in
  /// particular is requested.
  public var requiresDepth = false

  /// Creates a transform.
  ///
  /// - Parameters:
  ///   - corrector: What is corrected.
  ///   - deviceModel: The device in place of the one that the frames name; `nil` for their own.
  ///   - assessesFrames: Whether reports have the assessments.
  public init(
    _ corrector: CaptureCorrector, deviceModel: String? = nil, assessesFrames: Bool = false
  ) {
    self.corrector = corrector
    self.deviceModel = deviceModel
    self.assessesFrames = assessesFrames
  }

  /// Begins with a recording.
  public func pass() -> RecordingPass<Report> {
    let plans = CorrectionPlans()
    return RecordingPass { capture, name in
      var capture = capture
      if let deviceModel { capture.source.model = deviceModel }
      let frame = try corrected(capture, named: name, plans)
      return { frame }
    }
  }

  private func corrected(
    _ capture: Capture, named name: String, _ plans: CorrectionPlans
  ) throws -> TransformedFrame<Report> {
    guard capture.depth != nil || !requiresDepth else {
      throw CaptureReadingError(.missing, expected: "a depth map to correct", found: "none")
    }
    var capture = capture
    let plan = try plans.plan(for: capture) { try corrector.steps(forFrame: $0) }
    if plan.steps.contains(where: \.movesColor) { try capture.decodeColorFile() }
    let before = try assessesFrames ? Self.assessment(of: capture, named: name) : nil
    var applications: [CorrectionApplication] = []
    let after = try plans.corrected(capture, by: plan) { applications.append($0) }
    var report = Report(steps: applications.map { ($0.step, $0.effect) })
    if let before {
      report.result = CorrectionResult(
        before: before, after: try Self.assessment(of: after, named: name),
        applications: applications,
        depthMap: applications.compactMap(\.depthMap).reduce(nil as NearestPixelMap?) {
          $0?.followed(by: $1) ?? $1
        })
    }
    return TransformedFrame(after, report)
  }

  /// The assessment with the color image, which its map is compared with.
  private static func assessment(
    of capture: Capture, named name: String
  ) throws -> CaptureAnalysis {
    var capture = capture
    try capture.decodeColorFile()
    return try CaptureAnalyzer().analyze(capture, fileName: name)
  }
}

extension CaptureCorrection {
  /// Whether it changes pixels of the color image, which then have to be decoded.
  fileprivate var movesColor: Bool {
    switch self {
    case let step as CaptureRectification: step.parts.contains(.color)
    case let step as Mirroring: step.parts.contains(.color)
    case let step as Scaling: step.parts.contains(.color)
    case is Cropping, is ZoomAlignment, is FocalScaling, is CalibrationReplacement,
      is ReferenceSizeReplacement:
      false
    // Of a step that is not known here anything may be expected.
    default: true
    }
  }
}
