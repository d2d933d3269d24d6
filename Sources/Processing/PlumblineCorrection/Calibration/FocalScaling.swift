public import PlumblineModel

/// Multiplies the focal length by a known ratio, from the catalog of devices or from two calibrations of
/// one device.
///
/// With geometric distortion correction, the device rectifies the pixels but states focal length and
/// tables of the unrectified lens. The step then also removes the distortion.
/// - Source: such ratios are measured in arXiv 2201.10865, section 6; for the distortion,
///   `Documentation/corrections.md`.
public struct FocalScaling: CaptureCorrection, Hashable {
  /// True focal length divided by the claimed one.
  public var ratio: Double
  /// One standard deviation of the ratio; `nil` when not known.
  public var sigma: Double?
  /// Whether the pixels are rectified already, so that the claimed distortion must not be used.
  public var pixelsAreRectified: Bool
  /// The source of the ratio, in words.
  public var basis: String

  /// `focal-replaced`.
  public let name = ProvenanceStep.Kind.focalReplaced.rawValue

  /// Creates the step from a ratio.
  ///
  /// - Precondition: The ratio is between ½ and 2; no device is known beyond.
  package init(ratio: Double, sigma: Double?, pixelsAreRectified: Bool, basis: String) {
    precondition((0.5...2).contains(ratio), "a focal length is not off by a factor of \(ratio)")
    self.ratio = ratio
    self.sigma = sigma
    self.pixelsAreRectified = pixelsAreRectified
    self.basis = basis
  }

  /// Creates the step from the true focal length of one image size and the claimed one of another.
  ///
  /// - Parameters:
  ///   - focalLengthPixels: The true focal length along the columns.
  ///   - sigmaPixels: Its standard deviation; `nil` when not known.
  ///   - width: The columns of the image that it belongs to.
  ///   - claimed: The camera whose number it replaces.
  ///   - pixelsAreRectified: As in the property.
  ///   - basis: As in the property.
  package init(
    to focalLengthPixels: Double, sigmaPixels: Double?, atWidth width: Int,
    claimed: PinholeIntrinsics, pixelsAreRectified: Bool, basis: String
  ) {
    let claimedPixels = claimed.focalLength.x * Double(width) / Double(claimed.size.width)
    self.init(
      ratio: focalLengthPixels / claimedPixels, sigma: sigmaPixels.map { $0 / claimedPixels },
      pixelsAreRectified: pixelsAreRectified, basis: basis)
  }

  /// Multiplies both focal lengths; the principal point stays.
  ///
  /// - Throws: ``CorrectionError`` without a map or a calibration that fits it.
  public func application(to capture: Capture) throws(CorrectionError) -> CorrectionApplication {
    let record = try capture.requiredDepth(for: name)
    let old = try record.calibrationOfMap(for: name)
    guard let reference = record.calibration else {
      throw CorrectionError(.missing, step: name, expected: "a calibration", found: "none")
    }
    var replaced = reference
    replaced.intrinsics.focalLength *= ratio
    if pixelsAreRectified { replaced.distortion = replaced.distortion?.withoutMovement }
    let new = replaced.scaled(to: record.size)
    let sigmaPixels = sigma.map { old.intrinsics.focalLength.x * $0 }
    // A distortion that is not applied, as to pixels rectified by the device, moves nothing.
    let isUnused = capture.source.isGeometryCorrected == true && record.isRectified != false
    let effect = CorrectionEffect(
      replacing: isUnused ? old.rectified : old, by: new, sigmaFocalPixels: sigmaPixels,
      medianMeters: record.medianMeters)
    let uncertainty = sigma.map {
      CalibrationUncertainty(
        focalLengthPixels: reference.intrinsics.focalLength * $0, basis: basis)
    }
    var after = capture
    after.depth?.calibration = replaced
    after.depth?.calibrationUncertainty = uncertainty
    if pixelsAreRectified { after.depth?.isRectified = true }
    let plusMinus = sigmaPixels.map { " ± \($0.fixed(2))" } ?? ""
    let detail =
      "f of the \(record.size) map: \(old.intrinsics.focalLength.x.fixed(2)) px times \(ratio) is "
      + "\(new.intrinsics.focalLength.x.fixed(2))\(plusMinus) px, \(basis)"
      + (pixelsAreRectified ? "; the claimed distortion is not that of these pixels" : "")
    after.findings.append(
      Finding(
        .calibrationReplaced, .note, "the focal length was replaced: \(detail)",
        effect: Finding.Effect(
          zMillimeters: effect.before.zMillimeters, lengthPercent: effect.before.lengthPercent),
        evidence: basis, correction: .applied))
    return CorrectionApplication(
      ProvenanceStep(.focalReplaced, detail), before: capture, after: after, effect: effect,
      undoing: "the focal length divided by \(ratio)"
        + (pixelsAreRectified ? ", and the capture's own distortion, which this file keeps" : ""))
  }
}
