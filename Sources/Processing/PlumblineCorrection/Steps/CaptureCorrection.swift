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
  public var name: String { ProvenanceStep.undoPrefix + undone }

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
      ProvenanceStep(
        name: name, detail: "\(lost) pixels that \(undone) did not show are missing"),
      before: capture, after: after, effect: CorrectionEffect(before: .none, after: .none),
      undoing: "the step \(undone) again")
  }
}

/// Why a correction cannot be applied to a capture: what it needs and what the capture has.
public struct CorrectionError: Error, Sendable, Hashable {
  /// The kind of failure, by who can act on it.
  public enum Reason: String, Sendable, CaseIterable {
    /// The capture lacks what is to be corrected, such as a calibration.
    case missing
    /// Numbers belong to an image of another shape.
    case mismatch
    /// The capture is of a kind for which the correction is not defined.
    case unsupported
    /// The depths have no unit; known distances make them meters.
    case relative
  }

  /// The kind of failure, by who can act on it.
  public var reason: Reason
  /// The name of the correction, such as `rectified`.
  public var step: String
  /// What was expected: the data that the correction needs.
  public var expected: String
  /// What was found in the capture.
  public var found: String

  /// Creates an error from its parts.
  package init(_ reason: Reason, step: String, expected: String, found: String) {
    self.reason = reason
    self.step = step
    self.expected = expected
    self.found = found
  }
}

extension CorrectionError: CustomStringConvertible {
  /// One sentence, such as `cannot be rectified: expected …, found …`.
  public var description: String {
    "the step \(step) cannot be applied: expected \(expected), found \(found)"
  }
}
