public import PlumblineCorrection
import PlumblineIO
public import PlumblineModel
import PlumblineRecordings
import Synchronization

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

/// The steps of frames that are alike in all but their pixels, found out once.
private final class CorrectionPlans: Sendable {
  /// What the steps of a frame depend on.
  struct Key: Hashable {
    var source: CaptureSource
    var depthSize: RasterSize?
    var calibrations: [CameraCalibration?]
    var isRectified: Bool?
    var cleanAperture: PixelRectangle?
    var orientations: [ImageOrientation?]
    var colorSize: RasterSize?
    /// Names alone: details have the numbers of each frame.
    var steps: [String]
    var findings: [String]

    init(_ capture: Capture) {
      let record = capture.depth
      source = capture.source
      depthSize = record?.size
      calibrations = [record?.calibration, capture.colorCalibration]
      isRectified = record?.isRectified
      cleanAperture = record?.cleanAperture
      orientations = [record?.orientation, capture.colorOrientation]
      colorSize = capture.color?.size ?? (capture.colorFile == nil ? nil : capture.colorSize)
      steps = capture.provenance.map(\.name)
      findings = capture.findings.map { "\($0.code.rawValue) \($0.correction.rawValue)" }
    }
  }

  /// The steps of such frames, and where a rectification takes each pixel from.
  struct Plan: Sendable {
    var key: Key
    var steps: [any CaptureCorrection]
  }

  private let plans = Mutex(RecentlyUsed<Key, Plan>())
  private let rectifications = Mutex(RecentlyUsed<Key, RectificationPlan>())

  /// The plan of a frame, made if no frame like it came before.
  func plan(
    for capture: Capture, _ make: (Capture) throws -> [any CaptureCorrection]
  ) throws -> Plan {
    let key = Key(capture)
    if let known = plans.withLock({ $0.value(of: key) }) { return known }
    let plan = Plan(key: key, steps: try make(capture))
    plans.withLock { $0.keep(plan, for: key) }
    return plan
  }

  /// A frame after the steps of its plan; `applied` gets each of them.
  func corrected(
    _ capture: Capture, by plan: Plan, _ applied: (CorrectionApplication) -> Void
  ) throws(CorrectionError) -> Capture {
    var capture = capture
    for step in plan.steps {
      let application: CorrectionApplication
      if let step = step as? CaptureRectification {
        application = try step.application(
          to: capture, by: rectification(step, of: capture, plan.key))
      } else {
        application = try step.application(to: capture)
      }
      capture = application.capture
      applied(application)
    }
    return capture
  }

  /// The plan of a rectification; there is one step of the kind at most, and equal frames come to it
  /// equal but for their pixels.
  private func rectification(
    _ step: CaptureRectification, of capture: Capture, _ key: Key
  ) throws(CorrectionError) -> RectificationPlan {
    var key = key
    // A color file that could not be decoded has no pixels to be planned for.
    key.colorSize = capture.color?.size
    if let known = rectifications.withLock({ $0.value(of: key) }) { return known }
    let plan = try step.plan(for: capture)
    rectifications.withLock { $0.keep(plan, for: key) }
    return plan
  }
}

/// The eight values that were used last: a lens that focuses comes back to the same few states.
private struct RecentlyUsed<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// Few, since the maps of one rectification take 12 bytes a pixel.
  private static var maximumCount: Int { 8 }
  /// The one used last is the last.
  private var entries: [(key: Key, value: Value)] = []

  mutating func value(of key: Key) -> Value? {
    guard let index = entries.lastIndex(where: { $0.key == key }) else { return nil }
    let entry = entries.remove(at: index)
    entries.append(entry)
    return entry.value
  }

  mutating func keep(_ value: Value, for key: Key) {
    // Another thread may have made the same.
    entries.removeAll { $0.key == key }
    if entries.count >= Self.maximumCount { entries.removeFirst() }
    entries.append((key, value))
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
