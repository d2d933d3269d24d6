public import PlumblineModel

/// Says of a camera's numbers that they belong to an image of another size than claimed.
///
/// Such as numbers that were scaled to the map already while their reference size was not.
/// - Source: the public dumps of arXiv 2201.10865, whose matrices are so.
public struct ReferenceSizeReplacement: CaptureCorrection, Hashable {
  /// The size that the numbers belong to.
  public var size: RasterSize

  /// `reference-size-replaced`.
  public let name = "reference-size-replaced"

  /// Creates the step from the true reference size.
  public init(_ size: RasterSize) { self.size = size }

  /// Replaces the reference size; focal length and principal point stay as numbers.
  ///
  /// - Throws: ``CorrectionError`` without a map or calibration, and for a size of another shape
  ///   than the map.
  public func application(to capture: Capture) throws(CorrectionError) -> CorrectionApplication {
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
    let step = ProvenanceStep(name, "the camera's numbers belong to \(size), not to \(claimed)")
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
