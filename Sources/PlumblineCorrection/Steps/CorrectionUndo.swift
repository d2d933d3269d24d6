public import PlumblineModel

/// Takes one applied correction back.
///
/// Calibration, orientation and crop come back exactly. Depth values go back to the pixels that
/// they came from; pixels that the correction did not show stay missing, since a resampled map no
/// longer has them. A resampled color image cannot be computed back: the one before is kept and
/// returned.
public struct CorrectionUndo: CaptureCorrection {
  /// The name of the step that it takes back.
  public let undone: String
  private let before: Capture
  private let depthMap: NearestPixelMap?

  init(undone: String, before: Capture, depthMap: NearestPixelMap?) {
    self.undone = undone
    self.depthMap = depthMap
    var before = before
    // The depths come from the capture at hand, so that later changes of values survive.
    if depthMap != nil {
      before.depth?.values = .depth(
        DepthMap(meters: Raster(size: RasterSize(width: 0, height: 0), samples: [])))
    }
    self.before = before
  }

  /// `undone-` and the name of the step.
  public var name: String { "undone-" + undone }

  /// Takes the step back.
  ///
  /// - Throws: ``CorrectionError`` when the map has another size than the step left it with.
  public func application(to capture: Capture) throws(CorrectionError) -> CorrectionApplication {
    var after = before
    after.provenance = capture.provenance
    after.findings = capture.findings
    // Mattes come back with the capture as it was.
    if !before.mattes.isEmpty || before.gainMap != nil {
      after.findings.removeAll { $0.code == .imageCompanionsLeftOut }
    }
    if let record = capture.depth {
      guard record.size == depthMap?.size ?? before.depth?.size else {
        throw CorrectionError(
          .mismatch, step: name, expected: "a map of the size that \(undone) left",
          found: "\(record.size)")
      }
      after.depth?.values = depthMap.map { record.values.scattered(by: $0) } ?? record.values
    }
    let lost = depthMap?.lostCount ?? 0
    return CorrectionApplication(
      ProvenanceStep(name, "\(lost) pixels that \(undone) did not show are missing"),
      before: capture, after: after, effect: CorrectionEffect(before: .none, after: .none),
      undoing: "the step \(undone) again")
  }
}
