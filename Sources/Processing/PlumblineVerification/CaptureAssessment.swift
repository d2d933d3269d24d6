package import PlumblineCorrection
public import PlumblineModel

/// The answer to whether one can measure with a capture, and how well.
///
/// It reads a capture and its corrected depth and changes neither.
public struct CaptureAssessment: Sendable {
  /// The one-word answer.
  public var verdict: Verdict
  /// The answer in a sentence.
  public var reason: String
  /// Every doubt, faults first.
  public var findings: [Finding]
  /// The statistics of the corrected depths; `nil` without a depth map.
  public var statistics: DepthStatistics?
  /// The depth step between two codes at the median, in millimeters; `nil` when not metric or
  /// stored as floats.
  public var stepMillimetersAtMedian: Double?
  /// The ± of the depths; `nil` without measured pixels.
  public var uncertainty: DepthUncertainty?
  /// How the depth map lies on the color image; `nil` when the image was not read, and for
  /// estimates.
  public var alignment: ColorDepthAlignment?
  /// Whether the calibration passed every check.
  public var isCalibrationTrusted: Bool
  /// Whether the map is free from lens distortion as its file states it; `nil` where it does not.
  public var isRectified: Bool?
  /// What keeps a measurable capture from being good for every measurement; empty for one that cannot
  /// be measured.
  public var limits: [MeasurementLimit] = []
  /// Whether its depths are meters because the user said so; see ``DepthStatement``.
  public var isStated = false
  /// Whether meters rest on a geometry of two cameras that was told without its ±: they are then no
  /// measurement, whatever the verdict's word.
  public var isGeometryAssumed: Bool { findings.contains(where: \.saysGeometryIsAssumed) }
  /// Whether the ± of two images' depths is so large that its meters are rough ones only.
  package var isDepthUncertain: Bool { findings.contains(where: \.saysDepthIsUncertain) }

  /// Judges a capture.
  ///
  /// - Parameters:
  ///   - capture: The capture as read.
  ///   - corrected: Its depth as corrected; `nil` when it has none. Cost: O(*n*), three passes.
  ///   - earlier: The corrections and filters that it came with, so that this reading did not make them.
  ///   - catalog: What is known of devices.
  ///   - measured: The measurement in the catalog that was applied to the capture; `nil` for none.
  package init(
    _ capture: Capture, _ corrected: CorrectedDepth?, earlier: [ProvenanceStep] = [],
    catalog: DeviceCatalog = .bundled, measured: MeasuredFocal? = nil
  ) {
    var findings = Self.findings(of: capture, corrected)
    defer { self.findings = Self.sorted(findings) }
    isCalibrationTrusted = false
    isRectified = nil
    self.findings = []
    guard let record = capture.depth, let corrected else {
      verdict = .untrusted
      let missing = Self.missingDepth(capture)
      if !findings.contains(where: { $0.code == .depthRangeUnknown }) { findings.append(missing) }
      reason = Self.sentence(findings.last { $0.severity == .fault }?.message ?? missing.message)
      return
    }
    let statistics = corrected.depth.statistics
    self.statistics = statistics
    let rectification = Rectification(record, corrected)
    let checks = CalibrationChecks(capture, record, corrected, rectification, catalog)
    isRectified = rectification.isRectified
    findings +=
      DepthChecks(
        record: record, corrected: corrected, statistics: statistics,
        flying: FlyingPixels(corrected.depth), estimate: capture.estimate,
        completed: Self.completed(capture, record, corrected)
      ).findings
    findings += checks.findings
    findings += [Self.attachedFinding(capture, record), Finding.correctedBefore(by: earlier)]
      .compactMap(\.self)
    findings += ImageChecks(source: capture.source, record: record).findings
    let device = Self.deviceFindings(
      capture, medianMeters: corrected.isMetric ? statistics.medianMeters : nil,
      catalog: catalog, measured: measured)
    findings += device
    alignment = Self.alignment(of: capture, corrected)
    if let finding = alignment?.finding { findings.append(finding) }
    isCalibrationTrusted = checks.isTrusted && !device.contains { $0.severity == .fault }
    if let median = statistics.medianMeters {
      uncertainty = DepthUncertainty(
        // What no sensor of the phone measured has no sensor's noise, whatever else the phone has.
        record, corrected,
        camera: capture.estimate == nil && capture.attachedDepth == nil
          ? capture.source.camera : .unknown,
        lengthPercent: corrected.isMetric ? checks.lengthPercent : nil, statistics: statistics)
      if corrected.isMetric {
        let scale = corrected.distanceFit?.scale ?? 1
        stepMillimetersAtMedian = record.stepMeters(atDepth: median, disparityScale: scale)
          .map { $0 * 1000 }
      }
    }
    findings += Self.uncertainDepth(capture, corrected, statistics, uncertainty)
    verdict = Self.verdict(
      corrected, isCalibrationTrusted, statistics, findings, capture.estimate, earlier)
    if verdict.isMeasurable, let uncertainty { limits = MeasurementLimit.limits(of: uncertainty) }
    isStated = Self.isStated(capture, corrected)
    reason = ""
    reason = sentence(for: findings, corrected, capture.estimate)
  }

  /// What the capture came with; what two known distances have settled is a note.
  private static func findings(of capture: Capture, _ corrected: CorrectedDepth?) -> [Finding] {
    // Two distances replace scale and offset of disparities, whatever was told or known of them.
    guard corrected?.distanceFit?.distances.count == 2 else { return capture.findings }
    let settled: Set<FindingCode> = [.stereoGeometryTold, .stereoOffsetUnknown, .stereoRelative]
    return capture.findings.map { settled.contains($0.code) ? $0.settled : $0 }
  }

  /// The share of its depth above which the ± of the middle pixel of two images makes its meters rough.
  ///
  /// - Source: this project's choice, `Documentation/stereo.md`: pairs of a calibrated rig and those of
  ///   stated numbers have 1 to 4 %, pairs whose geometry leaves the disparity of infinity open 20 % and
  ///   more.
  private static let uncertainShare = 0.1

  /// That the meters of two images are rough ones, since their ± is large; none for other captures.
  private static func uncertainDepth(
    _ capture: Capture, _ corrected: CorrectedDepth, _ statistics: DepthStatistics,
    _ uncertainty: DepthUncertainty?
  ) -> [Finding] {
    guard capture.source.camera == .stereo, corrected.isMetric, capture.estimate == nil,
      let median = statistics.medianMeters,
      let sigma = uncertainty?.total.sigmaMeters(atDepth: median), sigma > uncertainShare * median
    else { return [] }
    let finding = Finding(
      .stereoDepthUncertain, .caution,
      "depth is known to ± \((100 * sigma / median).fixed(0)) % only, one standard deviation in the "
        + "middle: its meters are rough ones",
      effect: Finding.Effect(zMillimeters: sigma * 1000),
      evidence: "± \((sigma * 1000).fixed(0)) mm at \(median.fixed(2)) m; up to "
        + "\((100 * uncertainShare).fixed(0)) % count as measured",
      remedies: [.calibratePair]
        + (corrected.distanceFit?.distances.count == 2 ? [] : [.measureDistances]))
    return [finding]
  }

  /// Whether depths are meters by the user's word alone: their unit, or that they are true.
  private static func isStated(_ capture: Capture, _ corrected: CorrectedDepth) -> Bool {
    corrected.distanceFit == nil
      && capture.provenance.contains { $0.kind == .statedAbsolute || $0.kind == .statedUnit }
  }

  /// That the depth was written into the photo later; `nil` for the photo's own.
  private static func attachedFinding(_ capture: Capture, _ record: DepthRecord) -> Finding? {
    guard let origin = capture.attachedDepth else { return nil }
    let carried = record.sigmaMeters == nil ? "none came with it" : "the one that came with it"
    return Finding(
      .depthAttached, record.sigmaMeters == nil ? .caution : .note,
      "the depth was written into the photo later; its ± is not that of the phone's sensor: "
        + carried,
      evidence: origin)
  }

  /// Measures the alignment where the image is at hand; about 10 ms for a map of 640×480.
  private static func alignment(
    of capture: Capture, _ corrected: CorrectedDepth
  ) -> ColorDepthAlignment? {
    // An estimate lies on its image because it was made of it.
    guard capture.estimate == nil, let frame = AlignmentFrame(capture, corrected) else {
      return nil
    }
    return ColorDepthAlignment(frames: [frame])
  }

  /// Looks for surfaces that were completed, where a LiDAR's map is as the device made it; a filter
  /// smooths too, and is said of by itself.
  private static func completed(
    _ capture: Capture, _ record: DepthRecord, _ corrected: CorrectedDepth
  ) -> CompletedSurface? {
    guard capture.source.camera == .lidar, capture.estimate == nil, capture.attachedDepth == nil,
      corrected.isMetric, record.isFiltered != true, let noise = SensorNoise(.lidar)
    else { return nil }
    return CompletedSurface(
      corrected.depth, noise: noise.curve,
      quantization: DepthUncertainty.quantization(
        of: record, disparityScale: corrected.distanceFit?.scale ?? 1))
  }

  private static func missingDepth(_ capture: Capture) -> Finding {
    if let pair = capture.stereoPair {
      let baseline = pair.baselineMillimeters.map { ", \($0.fixed(1)) mm apart" } ?? ""
      return Finding(
        .depthMissing, .fault,
        "this is a spatial photo without a depth map: two images of \(pair.size)\(baseline)",
        evidence: "a stereo group and no depth auxiliary", correction: .available,
        remedies: [.matchViews])
    }
    return Finding(
      .depthMissing, .fault, "there is no depth map in this file",
      evidence: "no auxiliary image of kind depth or disparity",
      // An estimate is no correction: nothing of it was measured.
      remedies: capture.colorSize == nil ? [] : [.estimateDepth])
  }

  /// The verdict: decided by the record (its measured pixels, its accuracy and unit, or known
  /// distances in their place), by what an estimate was fitted to, by the calibration, and by any
  /// fault of the depths.
  ///
  /// The findings `depth.relative`, `depth.accuracyUnknown`, `depth.unitUnknown` and
  /// `estimate.unfitted` explain ``Verdict/relative``; they do not decide it.
  private static func verdict(
    _ corrected: CorrectedDepth, _ isCalibrationTrusted: Bool, _ statistics: DepthStatistics,
    _ findings: [Finding], _ estimate: EstimateOrigin?, _ earlier: [ProvenanceStep]
  ) -> Verdict {
    if statistics.validCount == 0 { return .untrusted }
    if !corrected.isMetric { return .relative }
    // Whatever a file says of its accuracy: a model's meters are no measurement.
    if let estimate, estimate.fittedTo == nil, corrected.distanceFit == nil { return .relative }
    if !isCalibrationTrusted { return .untrusted }
    // Depths that the file's writer cut off to whole meters, or known distances that fit nothing.
    if findings.contains(where: { $0.severity == .fault && $0.code.family == .depth }) {
      return .untrusted
    }
    if corrected.distanceFit != nil || estimate != nil { return .corrected }
    // A camera that was replaced before the file was written is the one that the file states.
    let replacements = earlier.count {
      $0.kind == .calibrationReplaced || $0.kind == .focalReplaced
    }
    let isReplaced = findings.count { $0.code == .calibrationReplaced } > replacements
    return isReplaced
      || findings.contains {
        $0.code == .calibrationDistorted || $0.saysGeometryIsAssumed || $0.saysDepthIsUncertain
      }
      ? .corrected : .measurable
  }

  private static func sorted(_ findings: [Finding]) -> [Finding] {
    let order: [Finding.Severity] = [.fault, .caution, .note]
    return order.flatMap { severity in findings.filter { $0.severity == severity } }
  }
}

extension Finding {
  /// Whether it says that the geometry of two cameras was told without its ±.
  package var saysGeometryIsAssumed: Bool {
    code == .stereoGeometryTold && severity != .note
  }

  /// Whether it says that the meters of two images are rough ones.
  package var saysDepthIsUncertain: Bool { code == .stereoDepthUncertain }
}
