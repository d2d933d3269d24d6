import PlumblineCorrection
import PlumblineModel

/// The findings about the camera's numbers, and how far lengths may be off because of them.
struct CalibrationChecks {
  /// The largest difference of the two focal lengths; phone pixels are square to 0.1 %.
  static let focalTolerance = 0.01
  /// The largest distance of the principal point from the middle, as a share of the side.
  static let centerTolerance = 0.1
  /// The fields of view that phone cameras have across the longer side, in degrees: from the
  /// fivefold tele to the ultra wide with a margin.
  static let fieldOfViewDegrees = 12.0...130.0

  let record: DepthRecord
  let corrected: CorrectedDepth
  let rectification: Rectification
  /// Whether the capture names its device, so that what is known of it is said elsewhere.
  var isDeviceNamed = true
  /// Whether the photo was cropped with its depth, so that no center needs to be near its middle.
  var isCropped = false
  var catalog = DeviceCatalog.bundled

  /// Whether every check that guards a measurement has passed.
  var isTrusted: Bool {
    corrected.calibration != nil && !findings.contains { $0.severity == .fault }
  }

  /// All findings, gravest first within the checks' own order.
  var findings: [Finding] {
    guard let reference = record.calibration else {
      return [
        Finding(
          .calibrationMissing, .fault, "the file holds no usable camera calibration",
          evidence: "no IntrinsicMatrix")
      ]
    }
    return faults(of: reference)
      + [otherSize(reference), lens(reference), uncovered].compactMap(\.self)
  }

  private func faults(of reference: CameraCalibration) -> [Finding] {
    [
      focalAspect(reference), center(reference), fieldOfView(reference), aspect(reference),
      lensShape(reference),
    ]
    .compactMap(\.self)
  }

  private func focalAspect(_ reference: CameraCalibration) -> Finding? {
    let focal = reference.intrinsics.focalLength
    let difference = focal.x / focal.y - 1
    guard abs(difference) >= Self.focalTolerance else { return nil }
    return Finding(
      .calibrationFocalAspect, .fault,
      "the focal lengths differ by \((abs(difference) * 100).fixed(1)) %; pixels are square, so one "
        + "of them is wrong",
      effect: Finding.Effect(lengthPercent: abs(difference) * 100),
      evidence: "fx = \(focal.x.fixed(2)), fy = \(focal.y.fixed(2)) px")
  }

  private func center(_ reference: CameraCalibration) -> Finding? {
    // A rectified image is cut to what both cameras of a pair see: its middle is no optical axis.
    guard record.isRectified != true else { return nil }
    let size = reference.intrinsics.size
    let middle = SIMD2(Double(size.width - 1), Double(size.height - 1)) / 2
    func offset(_ point: SIMD2<Double>) -> Double {
      let share = (point - middle) / SIMD2(Double(size.width), Double(size.height))
      return max(abs(share.x), abs(share.y))
    }
    var worst = ("principal point", reference.intrinsics.principalPoint)
    if let lens = reference.distortion, offset(lens.center) > offset(worst.1) {
      worst = ("distortion center", lens.center)
    }
    let (name, point) = worst
    guard offset(point) >= Self.centerTolerance else { return nil }
    if isCropped {
      return Finding(
        .calibrationPrincipalPoint, .note,
        "the \(name) lies \((offset(point) * 100).fixed(0)) % of the image away from the middle, as "
          + "in a photo that was cropped; whether it is right cannot be told by that",
        evidence: "(\(point.x.fixed(1)), \(point.y.fixed(1))) of \(size)", correction: .applied)
    }
    return Finding(
      .calibrationPrincipalPoint, .fault,
      "the \(name) lies \((offset(point) * 100).fixed(0)) % of the image away from the middle",
      evidence: "(\(point.x.fixed(1)), \(point.y.fixed(1))) of \(size)")
  }

  private func fieldOfView(_ reference: CameraCalibration) -> Finding? {
    let radians = reference.intrinsics.fieldOfView
    let degrees = max(radians.x, radians.y) * 180 / .pi
    guard !Self.fieldOfViewDegrees.contains(degrees) else { return nil }
    return Finding(
      .calibrationFieldOfView, .fault,
      "the focal length gives a field of view of \(degrees.fixed(1))°, which no phone camera has",
      evidence: "f = \(reference.intrinsics.focalLength.x.fixed(2)) px at "
        + "\(reference.intrinsics.size)")
  }

  private func lensShape(_ reference: CameraCalibration) -> Finding? {
    guard let lens = reference.distortion, !lens.isPlausible else { return nil }
    return Finding(
      .calibrationDamaged, .fault,
      "the distortion is not that of a lens: it moves points by more than half of their distance "
        + "from its center, or past each other",
      evidence: "distortion model at the reference size")
  }

  private func aspect(_ reference: CameraCalibration) -> Finding? {
    guard corrected.calibration == nil else { return nil }
    return Finding(
      .calibrationAspect, .fault,
      "the calibration belongs to \(reference.intrinsics.size), which is not the shape of the "
        + "\(record.size) map",
      evidence: "IntrinsicMatrixReferenceWidth, IntrinsicMatrixReferenceHeight")
  }

  private func otherSize(_ reference: CameraCalibration) -> Finding? {
    guard let calibration = corrected.calibration,
      calibration.intrinsics.focalLength != reference.intrinsics.focalLength
    else { return nil }
    return Finding(
      .calibrationOtherSize, .note,
      "the calibration belongs to \(reference.intrinsics.size) and was scaled to the map: "
        + "f = \(reference.intrinsics.focalLength.x.fixed(2)) px became "
        + "\(calibration.intrinsics.focalLength.x.fixed(2)) px",
      evidence: "reference \(reference.intrinsics.size), map \(record.size)", correction: .applied)
  }

  private func lens(_ reference: CameraCalibration) -> Finding? {
    // Without a calibration that fits the map no point is moved, and the fault says so.
    guard corrected.calibration != nil else { return nil }
    switch rectification {
    case .unknown:
      return Finding(
        .calibrationDistortionUnknown, .note, "the file does not say how the lens distorts",
        effect: Finding.Effect(lengthPercent: lengthPercent), evidence: "no distortion model")
    case .rectified where record.isRectified == true: return nil
    case .rectified:
      // Tables that are there and were not applied belong to the lens before its correction.
      let isDeclared = reference.distortion?.isZero == false
      return Finding(
        .calibrationRectified, .caution,
        (isDeclared
          ? "geometric distortion correction was on"
          : "no distortion is declared, as with geometric distortion correction")
          + "; the focal length may then be that of the lens before it"
          + (isDeclared ? measuredFocalErrors : ""),
        effect: Finding.Effect(lengthPercent: lengthPercent),
        evidence: isDeclared
          ? "the source says so; the distortion that is given is not applied"
          : "all distortion coefficients are 0",
        remedies: isDeclared ? [.verifyWithBoard] + (isDeviceNamed ? [] : [.nameDevice]) : [])
    case .distorted(let border):
      return Finding(
        .calibrationDistorted, .note,
        "the map is not rectified: the lens moves the border by up to \(border.pixels.fixed(2)) px "
          + "(\(border.percent.fixed(2)) %); points were moved back",
        effect: Finding.Effect(lengthPercent: border.percent),
        evidence: reference.distortion?.undistorting == nil
          ? "distorting direction, inverted" : "undistorting direction",
        correction: .applied)
    }
  }

  /// What the focal length of the lens before the correction was off by where it was measured.
  private var measuredFocalErrors: String {
    let measured = catalog.measuredFocalCorrections.map { device, correction in
      "\(((1 / correction.ratio - 1) * 100).fixed(1)) % on \(device.name)"
    }
    return measured.isEmpty
      ? ""
      : ", too long by what boards have shown: " + measured.joined(separator: ", ")
  }

  /// How far lengths across the image may be off, in percent, one standard deviation.
  ///
  /// - Source: `Documentation/decisions/0010-sigma-model.md`: 0.44 % was the largest difference
  ///   between factory and own calibration with the lens modeled; 1.4 % without; 6.5 % with
  ///   geometric distortion correction.
  var lengthPercent: Double? {
    guard corrected.calibration != nil, !hasFault else { return nil }
    if let measured = measuredPercent { return measured }
    switch rectification {
    case .distorted: return 0.5
    case .rectified where record.isRectified == true: return 0.5
    case .unknown: return 1.4
    case .rectified: return 6.5
    }
  }

  /// The sigma of a measured focal length with that of the sensor's own scale, in percent; `nil`
  /// for a producer's own.
  ///
  /// Beside a focal length known to a tenth of a percent, the sensor's depths are what lengths
  /// depend on; with known distances those bring a scale and a ± of their own.
  /// - Source: ``DepthAgainstBoard/sensorScaleSigma``.
  private var measuredPercent: Double? {
    guard let sigma = record.calibrationUncertainty?.focalLengthPixels,
      let focal = record.calibration?.intrinsics.focalLength
    else { return nil }
    // The rays at both ends of a length that spans a quarter of the image's width.
    let ends =
      (record.calibrationUncertainty?.projection?.coveredSigmaShare ?? 0) * 4 * 2.0.squareRoot()
    let focalShare = max(sigma.x / focal.x, sigma.y / focal.y)
    let camera = (focalShare * focalShare + ends * ends).squareRoot()
    let scale = corrected.distanceFit == nil ? DepthAgainstBoard.sensorScaleSigma : 0
    return 100 * (camera * camera + scale * scale).squareRoot()
  }

  private var hasFault: Bool {
    record.calibration.map { !faults(of: $0).isEmpty } ?? true
  }
}
