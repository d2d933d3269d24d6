public import PlumblineImages
public import PlumblineModel
public import PlumblineStereo

/// The geometry of a pair, where it comes from, and what must be said of it.
public struct StereoGeometry: Sendable {
  /// The sources of a geometry.
  public enum Basis: String, Sendable, CaseIterable {
    /// A calibration that was given.
    case calibration
    /// The calibration in the images' own file.
    case file
    /// Images that are rectified already, as stated.
    case rectified
    /// Points that both images show.
    case estimated
  }

  /// Both cameras at the sizes of their images.
  public internal(set) var calibration: StereoCalibration
  /// Where the geometry comes from.
  public internal(set) var basis: Basis
  /// The source of the focal length, in words.
  public internal(set) var focalBasis: String
  /// The relative pose, where it was estimated.
  public internal(set) var pose: RelativePose?
  /// The finding about the geometry.
  public internal(set) var findings: [Finding] = []

  /// The focal length of an image about which nothing is known, per longer side.
  ///
  /// - Source: COLMAP's default, 1.2: a horizontal field of view of 45°, between those of phones'
  ///   wide (about 70°) and tele cameras (about 40°).
  public static let assumedFocalShare = 1.2

  /// Finds the geometry of two images: what was given, else what their file says, else what
  /// points in both say.
  ///
  /// - Throws: ``StereoError`` for images that do not fit the calibration or each other, and for
  ///   pairs from which no geometry comes.
  public init(
    left: StereoImage, right: StereoImage, request: StereoRequest
  ) throws(StereoError) {
    if let given = request.calibration {
      self.init(
        try given.scaled(left: left.color.size, right: right.color.size), .calibration,
        focalBasis: "the calibration")
    } else if let rectified = request.rectified {
      try self.init(asTaken: rectified, left: left, right: right)
    } else if let stated = try Self.stated(left, right) {
      self = stated
    } else {
      try self.init(estimating: left, right, request)
    }
  }

  private init(_ calibration: StereoCalibration, _ basis: Basis, focalBasis: String) {
    self.calibration = calibration
    self.basis = basis
    self.focalBasis = focalBasis
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
        try betterDirection(a, b, left.color, right.color), .file,
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
      StereoCalibration(left: a, right: b, rightFromLeft: rightPlace.inverse * leftPlace), .file,
      focalBasis: "the file")
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

  private init(
    asTaken geometry: StereoRequest.RectifiedGeometry, left: StereoImage, right: StereoImage
  ) throws(StereoError) {
    try Self.requireEqual(left, right)
    let focal = Self.focalLength(
      geometry.focalLengthPixels, geometry.focalSigmaPixels, left, right)
    let size = left.color.size
    let center = SIMD2(Double(size.width - 1) / 2, Double(size.height - 1) / 2)
    let length = SIMD2(focal.pixels, focal.pixels)
    let cameras = [0, geometry.offsetPixels ?? 0].map {
      CameraCalibration(
        intrinsics: PinholeIntrinsics(
          focalLength: length, principalPoint: center + SIMD2($0, 0), size: size))
    }
    let isTold = geometry.baselineMeters != nil && !focal.isAssumed
    let isMetric = isTold && geometry.offsetPixels != nil
    var calibration = StereoCalibration(
      left: cameras[0], right: cameras[1],
      rightFromLeft: RigidTransform(
        rotation: .identity, translation: [-(isMetric ? geometry.baselineMeters ?? 1 : 1), 0, 0]),
      isMetric: isMetric)
    let told = ToldGeometry(
      focal: focal, baselineMeters: calibration.baselineMeters,
      statedBaselineSigmaMeters: geometry.baselineSigmaMeters,
      knownOffsetSigmaPixels: geometry.offsetSigmaPixels)
    calibration.uncertainty =
      isMetric
      ? told.uncertainty
      : StereoUncertainty(focalLengthShare: focal.sigmaShare, basis: focal.basis)
    self.init(calibration, .rectified, focalBasis: focal.basis)
    if isMetric {
      findings.append(told.finding)
    } else if geometry.offsetPixels == nil {
      findings.append(
        ToldGeometry.offsetUnknown(isScaleKnown: isTold, "--rectified without --offset"))
    }
    if !isTold {
      findings.append(
        Self.relative(
          geometry.baselineMeters == nil ? "the baseline was not told" : "no focal length is known",
          focal, isOffsetKnown: geometry.offsetPixels != nil))
    }
  }

  private init(
    estimating left: StereoImage, _ right: StereoImage, _ request: StereoRequest
  ) throws(StereoError) {
    try Self.requireEqual(left, right)
    let focal = Self.focalLength(
      request.focalLengthPixels, request.focalSigmaPixels, left, right)
    let size = left.color.size
    let assumed = CameraCalibration(
      intrinsics: PinholeIntrinsics(
        focalLength: [focal.pixels, focal.pixels],
        principalPoint: [Double(size.width - 1) / 2, Double(size.height - 1) / 2], size: size))
    let told = request.focalLengthPixels != nil
    let a = told ? assumed : left.camera ?? assumed
    let b = told ? assumed : right.camera ?? left.camera ?? assumed
    let pose = try RelativePose.estimated(
      left: left.color.luma, right: right.color.luma, cameras: (a, b))
    // A middle that is assumed moves the disparities of one image, and the pose cannot tell.
    let isMiddleKnown = !told && [left, right].allSatisfy { $0.cameraBasis == .calibration }
    let isTold = request.baselineMeters != nil && !focal.isAssumed
    let isMetric = isTold && isMiddleKnown
    let scale = isMetric ? request.baselineMeters ?? 1 : 1
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
    let numbers = ToldGeometry(
      focal: focal, baselineMeters: scale, statedBaselineSigmaMeters: request.baselineSigmaMeters,
      knownOffsetSigmaPixels: calibration.uncertainty?.offsetPixels)
    if isMetric {
      calibration.uncertainty?.baselineMeters = numbers.uncertainty.baselineMeters
      calibration.uncertainty?.basis += "; " + numbers.uncertainty.basis
    }
    // A calibration of a single camera has the ± of its producer; other focal lengths have none.
    if isMetric || !isMiddleKnown {
      calibration.uncertainty?.focalLengthShare = focal.sigmaShare
    }
    self.init(calibration, .estimated, focalBasis: focal.basis)
    self.pose = pose
    if isMetric {
      findings.append(numbers.finding)
    } else if !isMiddleKnown {
      findings.append(
        ToldGeometry.offsetUnknown(isScaleKnown: isTold, "principal points assumed in the middle"))
    }
    if !isTold {
      findings.append(
        Self.relative(
          request.baselineMeters == nil
            ? "the geometry was estimated from the images, which do not show how far the cameras "
              + "stood apart" : "no focal length is known", focal, isOffsetKnown: isMiddleKnown))
    }
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
      pixels: assumedFocalShare * Double(side),
      basis: "assumed: 1.2 times the longer side, since nothing is known", isAssumed: true)
  }

  private static func relative(
    _ reason: String, _ focal: FocalLength, isOffsetKnown: Bool = true
  ) -> Finding {
    Finding(
      .stereoRelative, .caution,
      "Depths have no unit: \(reason). They count baselines"
        + (focal.isAssumed
          ? ", and since the focal length is assumed, even their ratios to widths do not hold."
          : isOffsetKnown ? "; ratios of depths hold." : "."),
      evidence: "focal length \(focal.pixels.fixed(1)) px (\(focal.basis))")
  }
}
