public import PlumblineModel

/// One thing that can be set right about a capture: pure, recorded, and undone by its inverse.
///
///     let step = CaptureRectification([.color, .depth])
///     let applied = try step.application(to: capture)
///     applied.capture            // corrected; its provenance has one more step
///     applied.effect.before      // by how much it was off
///     try applied.inverse.applied(to: applied.capture)   // as it was
public protocol CaptureCorrection: Sendable {
  /// A short stable name, such as `focal-replaced`; the provenance carries it.
  var name: String { get }

  /// Applies the correction and says what it did.
  ///
  /// - Throws: ``CorrectionError`` when the capture lacks what the correction needs.
  func application(to capture: Capture) throws(CorrectionError) -> CorrectionApplication
}

extension CaptureCorrection {
  /// The corrected capture.
  ///
  /// - Throws: ``CorrectionError`` when the capture lacks what the correction needs.
  public func applied(to capture: Capture) throws(CorrectionError) -> Capture {
    try application(to: capture).capture
  }
}

/// A correction as it was applied to one capture.
public struct CorrectionApplication: Sendable {
  /// The step that the provenance got.
  public var step: ProvenanceStep
  /// The corrected capture.
  public var capture: Capture
  /// The changes to depth and calibration.
  public var effect: CorrectionEffect
  /// Which pixel of the depth map became which; `nil` when none moved.
  public var depthMap: NearestPixelMap?
  /// How to undo the correction, in words.
  public var undoing: String
  /// The correction that undoes this one.
  public var inverse: CorrectionUndo

  /// Records a correction: appends the step to the corrected capture's provenance.
  init(
    _ step: ProvenanceStep, before: Capture, after: Capture, effect: CorrectionEffect,
    depthMap: NearestPixelMap? = nil, undoing: String
  ) {
    self.step = step
    self.effect = effect
    self.depthMap = depthMap
    self.undoing = undoing
    capture = after
    capture.provenance.append(step)
    inverse = CorrectionUndo(undone: step.name, before: before, depthMap: depthMap)
  }
}
