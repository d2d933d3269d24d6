public import PlumblineModel

/// Takes another calibration in place of the capture's own: one that was measured.
///
/// It is scaled to the map when its numbers are used, as every calibration is. Depths stay: a
/// structured-light or time-of-flight sensor's depth does not depend on the camera's numbers.
public struct CalibrationReplacement: CaptureCorrection, Hashable {
  /// The calibration, at its own reference size.
  public var calibration: CameraCalibration
  /// How well its numbers are known, in pixels of that size; `nil` when not known.
  public var uncertainty: CalibrationUncertainty?
  /// Whether it says of the pixels that they are rectified; `nil` leaves that to its distortion.
  public var isRectified: Bool?
  /// The source, in words.
  public var basis: String

  /// `calibration-replaced`.
  public let name = ProvenanceStep.Kind.calibrationReplaced.rawValue

  /// Creates the step from a calibration.
  public init(
    _ calibration: CameraCalibration, uncertainty: CalibrationUncertainty? = nil,
    isRectified: Bool? = nil, basis: String
  ) {
    self.calibration = calibration
    self.uncertainty = uncertainty
    self.isRectified = isRectified
    self.basis = basis
  }

  /// Replaces calibration and sigma; appends the finding `calibration.replaced` with the effect.
  ///
  /// - Throws: ``CorrectionError`` without a map, or for a calibration of another shape than it.
  public func application(to capture: Capture) throws(CorrectionError) -> CorrectionApplication {
    let record = try capture.requiredDepth(for: name)
    let crop = record.cleanAperture?.size
    guard
      calibration.intrinsics.matchesAspect(of: record.size)
        || crop.map(calibration.intrinsics.matchesAspect(of:)) == true
    else {
      throw CorrectionError(
        .mismatch, step: name, expected: "a calibration of the shape of the \(record.size) map",
        found: "\(calibration.intrinsics.size)")
    }
    let size = calibration.intrinsics.matchesAspect(of: record.size) ? record.size : crop
    let target = size ?? record.size
    let new = calibration.scaled(to: target)
    let old = record.calibration.flatMap {
      $0.intrinsics.matchesAspect(of: target) ? $0.scaled(to: target) : nil
    }
    let sigma = uncertainty?.scaled(from: calibration.intrinsics.size, to: target)
      .focalLengthPixels?.x
    let effect = CorrectionEffect(
      replacing: old, by: new, sigmaFocalPixels: sigma, medianMeters: record.medianMeters)
    var after = capture
    after.depth?.calibration = calibration
    after.depth?.calibrationUncertainty = uncertainty
    // A lens that comes with the measured numbers is that of these pixels, whatever was declared;
    // without a measured sigma nothing vouches for "rectified".
    let hasLens = calibration.distortion?.isZero == false
    after.depth?.isRectified = hasLens ? false : uncertainty == nil ? nil : isRectified
    let oldFocal = old.map { "\($0.intrinsics.focalLength.x.fixed(2)) px" } ?? "none"
    let plusMinus = sigma.map { " ± \($0.fixed(2))" } ?? ""
    let detail =
      "f of the \(target) map: \(oldFocal) became \(new.intrinsics.focalLength.x.fixed(2))"
      + "\(plusMinus) px, \(basis)"
    after.findings.append(
      Finding(
        .calibrationReplaced, .note, "the calibration was replaced: \(detail)",
        effect: Finding.Effect(
          zMillimeters: effect.before.zMillimeters, lengthPercent: effect.before.lengthPercent),
        evidence: basis, correction: .applied))
    return CorrectionApplication(
      ProvenanceStep(.calibrationReplaced, detail), before: capture, after: after, effect: effect,
      undoing: "the capture's own calibration, which this file keeps")
  }
}

/// Says of a camera's numbers that they belong to an image of another size than claimed.
///
/// Such as numbers that were scaled to the map already while their reference size was not.
/// - Source: the public dumps of arXiv 2201.10865, whose matrices are so.
package struct ReferenceSizeReplacement: CaptureCorrection, Hashable {
  /// The size that the numbers belong to.
  package var size: RasterSize

  /// `reference-size-replaced`.
  package let name = ProvenanceStep.Kind.referenceSizeReplaced.rawValue

  /// Creates the step from the true reference size.
  package init(_ size: RasterSize) { self.size = size }

  /// Replaces the reference size; focal length and principal point stay as numbers.
  ///
  /// - Throws: ``CorrectionError`` without a map or calibration, and for a size of another shape
  ///   than the map.
  package func application(to capture: Capture) throws(CorrectionError) -> CorrectionApplication {
    let record = try capture.requiredDepth(for: name)
    guard var replaced = record.calibration else {
      throw CorrectionError(.missing, step: name, expected: "a calibration", found: "none")
    }
    let claimed = replaced.intrinsics.size
    replaced.intrinsics.size = size
    guard replaced.intrinsics.matchesAspect(of: record.size) else {
      throw CorrectionError(
        .mismatch, step: name, expected: "a size of the shape of the \(record.size) map",
        found: "\(size)")
    }
    if let lens = replaced.distortion {
      // The lens's radius and center are numbers of the reference size too: tables end at its
      // farthest corner, and the center moves with the matrix's own grid.
      replaced.distortion = LensDistortion(
        center: lens.center, size: size, pixelSizeMillimeters: lens.pixelSizeMillimeters,
        distorting: lens.distorting, undistorting: lens.undistorting)
    }
    let old = record.calibration.flatMap {
      $0.intrinsics.matchesAspect(of: record.size) ? $0.scaled(to: record.size) : nil
    }
    let effect = CorrectionEffect(
      replacing: old, by: replaced.scaled(to: record.size), sigmaFocalPixels: nil,
      medianMeters: record.medianMeters)
    var after = capture
    after.depth?.calibration = replaced
    let step = ProvenanceStep(
      .referenceSizeReplaced, "the camera's numbers belong to \(size), not to \(claimed)")
    return CorrectionApplication(
      step, before: capture, after: after, effect: effect,
      undoing: "the reference size \(claimed)")
  }
}

extension LensDistortion {
  /// The same center and radius with nothing moved: "these pixels are rectified".
  var withoutMovement: LensDistortion {
    var copy = self
    copy.distorting = .coefficients([Double](repeating: 0, count: 8))
    copy.undistorting = copy.distorting
    return copy
  }
}
