public import PlumblineCorrection
import PlumblineVerification
public import PlumblineModel

/// Corrects captures: by the corrections that are requested, or, where none is, by those that the
/// findings suggest.
///
/// ```swift
/// let analysis = try CaptureAnalyzer().analyze(path: "portrait.heic")
/// let result = try CaptureCorrector().correct(analysis)
/// print(result.after.assessment.reason)
/// ```
public struct CaptureCorrector: Sendable {
  /// Another calibration; `nil` for none.
  public var calibration: CalibrationReplacement?
  /// What is known of devices; a measurement of the user's own in it goes before what comes with the
  /// program.
  public var catalog = DeviceCatalog.bundled
  /// Whether the catalog's focal length of the model is taken.
  public var takesFocalFromCatalog = false
  /// A pair of stated focal lengths that the true one follows from, and where it is from; `nil`
  /// for none.
  public var focalPair: (pair: FocalFromPair, origin: String)?
  /// Whether the zoom between ARKit's map and image is undone.
  public var undoesZoom = false
  /// The mirroring to apply; `nil` for none.
  public var mirroring: Mirroring?
  /// Whether everything is mirrored as the capture's interface needs it: rows for ARKit, else columns;
  /// ``mirroring`` goes before it.
  public var undoesMirroring = false
  /// The parts to resample without distortion.
  public var rectified: CaptureParts = []
  /// Whether a capture without a lens's distortion stays as it is where ``rectified`` has parts,
  /// instead of being refused.
  public var skipsRectified = false
  /// The size that map and color are brought to; `nil` for their own.
  public var size: RasterSize?

  /// Creates a corrector that does what the findings suggest.
  public init() {}

  /// Corrects a capture and assesses it again.
  ///
  /// - Parameter analysis: The capture as read and assessed.
  /// - Returns: The capture before and after, with the steps between.
  /// - Throws: ``CorrectionError`` for a step that was requested and that does not fit the capture;
  ///   `DistanceFitError` cannot occur, since distances are not part of it. Cost: O(*n*) for each step.
  public func correct(_ analysis: CaptureAnalysis) throws -> CorrectionResult {
    // The assessment's own changes are made again to the corrected capture.
    let capture = analysis.captureAsRead
    var applications: [CorrectionApplication] = []
    var depthMap: NearestPixelMap?
    let corrected = try Self.corrected(capture, by: try steps(for: analysis)) { applied in
      applications.append(applied)
      if let map = applied.depthMap { depthMap = depthMap?.followed(by: map) ?? map }
    }
    var analyzer = CaptureAnalyzer()
    analyzer.catalog = catalog
    let after = try analyzer.analyze(
      corrected, fileName: analysis.fileName, sha256: analysis.sha256)
    return CorrectionResult(
      before: analysis, after: after, applications: applications, depthMap: depthMap)
  }

  /// A capture after steps; `applied` gets each of them.
  static func corrected(
    _ capture: Capture, by steps: [any CaptureCorrection],
    _ applied: (CorrectionApplication) -> Void
  ) throws(CorrectionError) -> Capture {
    var capture = capture
    for step in steps {
      let application = try step.application(to: capture)
      capture = application.capture
      applied(application)
    }
    return capture
  }

  /// Whether nothing in particular is requested.
  private var isAutomatic: Bool {
    calibration == nil && !takesFocalFromCatalog && focalPair == nil && !undoesZoom
      && mirroring == nil && !undoesMirroring && rectified.isEmpty && size == nil
  }

  /// The steps for a capture, in the order in which they are applied.
  ///
  /// Numbers first, then pixels: each pixel step uses the calibration that stands by then. They do not
  /// depend on depths or colors, only on what is known about them.
  /// - Throws: ``CorrectionError`` for a step that was requested and that nothing is known about,
  ///   such as the catalog's focal length of an unknown model.
  private func steps(
    for analysis: CaptureAnalysis
  ) throws(CorrectionError) -> [any CaptureCorrection] {
    isAutomatic
      ? needed(by: analysis.assessment.findings, of: analysis.capture)
      : try requested(for: analysis.capture)
  }

  /// The steps that are requested of any capture, which needs no assessment.
  private func requested(
    for capture: Capture
  ) throws(CorrectionError) -> [any CaptureCorrection] {
    var steps: [any CaptureCorrection] = []
    if let calibration { steps.append(calibration) }
    if takesFocalFromCatalog {
      guard let focal = focal(for: capture) else {
        throw CorrectionError(
          .missing, step: ProvenanceStep.Kind.focalReplaced.rawValue,
          expected: "a model whose focal length is known to be off",
          found: capture.source.model.map { "“\($0)” through \(capture.source.interface.rawValue)" }
            ?? "no model")
      }
      steps.append(focal)
    }
    if let focalPair {
      steps.append(try focalPair.pair.step(for: capture, origin: focalPair.origin))
    }
    let mirroring =
      mirroring
      ?? (undoesMirroring
        ? Mirroring(capture.source.interface == .arkit ? .rows : .columns) : nil)
    let rectified = skipsRectified && !capture.hasLensToRectify ? [] : self.rectified
    let movesPixels = undoesZoom || !rectified.isEmpty || mirroring != nil || size != nil
    if movesPixels, capture.depth?.cleanAperture != nil { steps.append(Cropping()) }
    if undoesZoom { steps.append(Self.zoom(for: capture)) }
    if !rectified.isEmpty { steps.append(CaptureRectification(rectified)) }
    if let mirroring { steps.append(mirroring) }
    if let size { steps.append(Scaling(to: size)) }
    return steps
  }

  /// The steps for a frame, without its assessment: what they follow from is about camera, device and
  /// storage alone.
  func steps(forFrame capture: Capture) throws(CorrectionError) -> [any CaptureCorrection] {
    isAutomatic
      ? needed(
        by: CaptureAssessment.cameraFindings(of: capture, catalog: catalog), of: capture)
      : try requested(for: capture)
  }

  /// The corrections that findings suggest and that are implemented.
  private func needed(
    by findings: [Finding], of capture: Capture
  ) -> [any CaptureCorrection] {
    guard let record = capture.depth else { return [] }
    // What an earlier step corrected is still reported, and must not be corrected again.
    let correctedEarlier: Set<FindingCode> = [
      .deviceFocalBeforeCorrection, .deviceDepthZoomed, .imageMirrored,
    ]
    let codes = Set(
      findings
        .filter { !($0.correction == .applied && correctedEarlier.contains($0.code)) }
        .map(\.code))
    var numbers: [any CaptureCorrection] = []
    var pixels: [any CaptureCorrection] = []
    if let measured = catalog.measuredFocal(for: capture) {
      numbers.append(measured.step)
    } else if record.calibration != nil, codes.contains(.deviceFocalBeforeCorrection),
      let focal = focal(for: capture)
    {
      numbers.append(focal)
    }
    if codes.contains(.calibrationFieldOfView), let size = Self.plausibleSize(of: record) {
      numbers.append(ReferenceSizeReplacement(size))
    }
    if codes.contains(.deviceDepthZoomed) { pixels.append(Self.zoom(for: capture)) }
    if codes.contains(.calibrationDistorted) {
      pixels.append(
        CaptureRectification(capture.hasColorImage ? [.color, .depth] : .depth))
    }
    if codes.contains(.imageMirrored) { pixels.append(Mirroring(.rows)) }
    if record.cleanAperture != nil, !pixels.isEmpty { pixels.insert(Cropping(), at: 0) }
    return numbers + pixels
  }

  /// The map's own size, where numbers that are impossible at their reference size are possible at
  /// it: they were scaled to the map, and the reference size was not.
  private static func plausibleSize(of record: DepthRecord) -> RasterSize? {
    guard var camera = record.calibration?.intrinsics, camera.size != record.size else {
      return nil
    }
    camera.size = record.size
    let degrees = camera.fieldOfView * 180 / .pi
    let middle = SIMD2(Double(record.size.width - 1), Double(record.size.height - 1)) / 2
    let offset = (camera.principalPoint - middle) / (2 * middle + 1)
    // The bounds of the checks for field of view and principal point.
    return (12.0...130.0).contains(max(degrees.x, degrees.y))
      && max(abs(offset.x), abs(offset.y)) < 0.1 ? record.size : nil
  }

  /// The catalog's focal length for a capture: the user's own, else that of the model.
  private func focal(for capture: Capture) -> FocalScaling? {
    if let measured = catalog.measuredFocal(for: capture) { return measured.step }
    guard let known = catalog.focalCorrection(for: capture.source),
      (0.5...2).contains(known.ratio)
    else { return nil }
    // The catalog's ratios are those of rectified images behind geometric distortion correction.
    return FocalScaling(
      ratio: known.ratio, sigma: known.sigma, pixelsAreRectified: true,
      basis: "device catalog: \(known.basis)")
  }

  /// The windows of the capture's two cameras, where it has both; else the published ones.
  private static func zoom(for capture: Capture) -> ZoomAlignment {
    if let color = capture.colorCalibration?.intrinsics,
      let depth = capture.depth?.calibration?.intrinsics, color.size != depth.size,
      let own = ZoomAlignment(depth: depth, color: color)
    {
      return own
    }
    var published = ZoomAlignment.arkitFrontCamera()
    published.calibrationIsThatOfColor =
      capture.depth?.calibration?.intrinsics.size == published.colorWindow
    return published
  }
}

extension Capture {
  /// Whether it has a color image at hand, as pixels or as a file.
  var hasColorImage: Bool { color != nil || colorFile != nil }

  /// Whether its map still has a lens's distortion that is known.
  fileprivate var hasLensToRectify: Bool {
    guard let depth, (depth.isRectified ?? source.isGeometryCorrected) != true,
      let lens = depth.calibration?.distortion
    else { return false }
    return !lens.isZero
  }
}

extension CaptureAnalysis {
  /// The capture without the steps that the assessment made, which no stored map went through.
  var captureAsRead: Capture {
    var capture = capture
    capture.provenance.removeLast(min(corrected?.steps.count ?? 0, capture.provenance.count))
    return capture
  }
}
