import PlumblineImages
import PlumblineModel
import PlumblineStereo

extension StereoReconstructor {
  /// Finds the geometry of two images: what was given, else what their file says, else what
  /// points in both say.
  ///
  /// - Throws: ``StereoError`` for images that do not fit the calibration or each other, and for
  ///   pairs from which no geometry comes.
  func geometry(
    left: StereoImage, right: StereoImage
  ) throws(StereoError) -> StereoGeometry {
    if let calibration {
      return StereoGeometry(
        calibration: try calibration.scaled(left: left.color.size, right: right.color.size),
        basis: .calibration, focalBasis: "the calibration")
    }
    if let rectified { return try Self.rectifiedGeometry(rectified, left, right) }
    if let stated = try Self.stated(left, right) { return stated }
    return try estimatedGeometry(left, right)
  }

  /// What the images say themselves: positions in a frame that both share, or extrinsics of Apple's
  /// dual photos.
  private static func stated(
    _ left: StereoImage, _ right: StereoImage
  ) throws(StereoError) -> StereoGeometry? {
    guard let a = left.camera, let b = right.camera, let leftPlace = left.referenceFromCamera,
      let rightPlace = right.referenceFromCamera
    else { return nil }
    guard a.extrinsics == nil || b.extrinsics == nil else {
      // A single photo may carry extrinsics that a turn of the image alone put there.
      guard leftPlace.translation != rightPlace.translation else { return nil }
      var geometry = StereoGeometry(
        calibration: try betterDirection(a, b, left.color, right.color), basis: .file,
        focalBasis: "the calibration in the files")
      geometry.findings.append(
        Finding(
          .stereoExtrinsicsUnverified, .caution,
          "In which direction Apple's extrinsic matrix is meant was never verified on a device; the "
            + "direction in which the rows of the images agree better was taken.",
          evidence: "ExtrinsicMatrix"))
      return geometry
    }
    return StereoGeometry(
      calibration: StereoCalibration(
        left: a, right: b, rightFromLeft: rightPlace.inverse * leftPlace),
      basis: .file, focalBasis: "the file")
  }

  /// The calibration in the direction in which points lie on common rows.
  private static func betterDirection(
    _ a: CameraCalibration, _ b: CameraCalibration, _ left: Raster<RGB8>, _ right: Raster<RGB8>
  ) throws(StereoError) -> StereoCalibration {
    let calibration = try StereoCalibration(left: a, right: b)
    let other = try StereoCalibration(left: a, right: b, direction: .cameraFromReference)
    func residual(_ calibration: StereoCalibration) -> Double {
      guard
        let rectification = try? StereoRectification(calibration, focalLength: .coarser),
        let images = try? rectification.rectified(left: left.luma, right: right.luma)
      else { return .infinity }
      let survey = PairSurvey(
        images, infinityPixels: -rectification.principalOffsetPixels)
      let share = Double(survey.agreeingCount) / Double(max(1, survey.matchCount))
      return survey.agreeingCount < PairSurvey.leastMatches
        ? .infinity : abs(survey.verticalShiftPixels) + survey.verticalResidualPixels / share
    }
    return residual(other) < residual(calibration) ? other : calibration
  }

  private static func requireEqual(
    _ left: StereoImage, _ right: StereoImage
  ) throws(StereoError) {
    guard left.color.size == right.color.size else {
      throw StereoError(
        .mismatch,
        expected: "two images of one size, or a calibration of images of both sizes",
        found: "\(left.color.size) and \(right.color.size)")
    }
  }

  /// The geometry of images that are rectified already.
  private static func rectifiedGeometry(
    _ geometry: RectifiedGeometry, _ left: StereoImage, _ right: StereoImage
  ) throws(StereoError) -> StereoGeometry {
    try requireEqual(left, right)
    guard left.orientation == right.orientation else {
      throw StereoError(
        .mismatch, expected: "rectified images that are stored alike",
        found: "the orientation \(left.orientation.rawValue) of the left image and "
          + "\(right.orientation.rawValue) of the right one by the tags of their files")
    }
    let focal = focalLength(
      geometry.focalLengthPixels, geometry.focalSigmaPixels, left, right)
    let size = left.color.size
    let isScaleGiven = geometry.baselineMeters != nil && !focal.isAssumed
    let isMetric = isScaleGiven && geometry.offsetPixels != nil
    var calibration = StereoCalibration(
      left: camera(focal, size: size),
      right: camera(focal, size: size, offsetPixels: geometry.offsetPixels ?? 0),
      rightFromLeft: RigidTransform(
        rotation: .identity, translation: [-(isMetric ? geometry.baselineMeters ?? 1 : 1), 0, 0]),
      isMetric: isMetric)
    let given = GivenStereoGeometry(
      focal: focal, baselineMeters: calibration.baselineMeters,
      statedBaselineSigmaMeters: geometry.baselineSigmaMeters,
      knownOffsetSigmaPixels: geometry.offsetSigmaPixels)
    calibration.uncertainty =
      isMetric
      ? given.uncertainty
      : StereoUncertainty(focalLengthShare: focal.sigmaShare, basis: focal.basis)
    var result = StereoGeometry(
      calibration: calibration, basis: .rectified, focalBasis: focal.basis,
      toldBaselineMeters: geometry.baselineMeters)
    if isMetric {
      result.findings.append(given.finding)
    } else if geometry.offsetPixels == nil {
      result.findings.append(
        GivenStereoGeometry.offsetUnknown(
          isScaleKnown: isScaleGiven, isRectified: true))
    }
    if !isScaleGiven {
      result.findings.append(
        relative(
          geometry.baselineMeters == nil ? "the baseline was not told" : "no focal length is known",
          focal, isOffsetKnown: geometry.offsetPixels != nil))
    }
    return result
  }

  /// The geometry by points that both images show.
  private func estimatedGeometry(
    _ left: StereoImage, _ right: StereoImage
  ) throws(StereoError) -> StereoGeometry {
    try Self.requireEqual(left, right)
    let focal = Self.focalLength(focalLengthPixels, focalSigmaPixels, left, right)
    let assumed = Self.camera(focal, size: left.color.size)
    let isFocalGiven = focalLengthPixels != nil
    let a = isFocalGiven ? assumed : left.camera ?? assumed
    let b = isFocalGiven ? assumed : right.camera ?? left.camera ?? assumed
    func isKnown(_ image: StereoImage) -> Bool {
      !isFocalGiven && image.cameraBasis == .calibration
    }
    let open = CameraUnknowns(size: left.color.size, focalShare: focal.sigmaShare)
    let pose = try RelativePose.estimated(
      left: left.color.luma, right: right.color.luma, cameras: (a, b),
      unknowns: (isKnown(left) ? nil : open, isKnown(right) ? nil : open))
    // A middle that is assumed moves the disparities of one image, and the pose cannot tell.
    let isMiddleKnown = isKnown(left) && isKnown(right)
    let isScaleGiven = baselineMeters != nil && !focal.isAssumed
    let isMetric = isScaleGiven && isMiddleKnown
    let scale = isMetric ? baselineMeters ?? 1 : 1
    var calibration = StereoCalibration(
      left: a, right: b,
      rightFromLeft: RigidTransform(
        rotation: pose.rightFromLeft.rotation,
        translation: pose.rightFromLeft.translation * scale), isMetric: isMetric)
    // An error of the angle between the cameras moves all pixel disparities alike.
    let focalPixels = a.intrinsics.focalLength.x
    calibration.uncertainty = StereoUncertainty(
      offsetPixels: pose.rotationSigmaRadians.y * focalPixels,
      rotationRadians: pose.rotationSigmaRadians, epipolarPixels: pose.rmsPixels,
      basis: "scatter of \(pose.matches.count) points that both images show")
    let given = GivenStereoGeometry(
      focal: focal, baselineMeters: scale, statedBaselineSigmaMeters: baselineSigmaMeters,
      knownOffsetSigmaPixels: calibration.uncertainty?.offsetPixels)
    if isMetric {
      calibration.uncertainty?.baselineMeters = given.uncertainty.baselineMeters
      calibration.uncertainty?.basis += "; " + given.uncertainty.basis
    }
    // A calibration of a single camera has the ± of its producer; other focal lengths have none.
    if isMetric || !isMiddleKnown {
      calibration.uncertainty?.focalLengthShare = focal.sigmaShare
    }
    var findings: [Finding] = isMetric ? [given.finding] : []
    if !isMiddleKnown {
      findings.append(
        GivenStereoGeometry.offsetUnknown(
          isScaleKnown: isScaleGiven, isRectified: false))
    }
    if !isScaleGiven { findings.append(relativeEstimate(focal, isOffsetKnown: isMiddleKnown)) }
    return StereoGeometry(
      calibration: calibration, basis: .estimated, focalBasis: focal.basis, pose: pose,
      toldBaselineMeters: baselineMeters, findings: findings)
  }

  /// A camera without distortion whose principal point is the image's middle, or beside it.
  private static func camera(
    _ focal: FocalLength, size: RasterSize, offsetPixels: Double = 0
  ) -> CameraCalibration {
    let middle = SIMD2(Double(size.width - 1) / 2, Double(size.height - 1) / 2)
    return CameraCalibration(
      intrinsics: PinholeIntrinsics(
        focalLength: [focal.pixels, focal.pixels],
        principalPoint: middle + SIMD2(offsetPixels, 0), size: size))
  }

  /// The focal length of a pair without a calibration: as given, as the files say, or assumed.
  private static func focalLength(
    _ told: Double?, _ sigma: Double?, _ left: StereoImage, _ right: StereoImage
  ) -> FocalLength {
    if let told {
      return FocalLength(pixels: told, basis: "as told", statedSigmaPixels: sigma)
    }
    for image in [left, right] {
      if let camera = image.camera {
        let basis = image.cameraBasis == .exif ? "Exif" : "the file"
        return FocalLength(pixels: camera.intrinsics.focalLength.x, basis: basis)
      }
    }
    let side = max(left.color.width, left.color.height)
    return FocalLength(
      pixels: StereoGeometry.assumedFocalShare * Double(side),
      basis: "assumed: 1.2 times the longer side, since nothing is known", isAssumed: true)
  }
}
