public import PlumblineModel
public import PlumblineVision

/// How two calibrations, or two captures with theirs, differ, and what that means for lengths: what
/// ``CalibrationComparer`` returns.
///
/// Such as one device before and after an update of its system.
public struct CalibrationComparison: Sendable {
  /// One of the two sides.
  public struct Side: Sendable {
    /// Its name: a file name.
    public var name: String
    /// Its calibration, at its own reference size.
    public var calibration: CameraCalibration
    /// One standard deviation of its numbers; `nil` when not known.
    public var uncertainty: CalibrationUncertainty?
    /// Its depths in meters, where it is a capture with a metric map.
    public var depth: DepthMap?
    /// Whether its images were rectified already, so that a lens that it states does not apply to
    /// them.
    public var isRectified: Bool

    /// Creates a side from its parts.
    package init(
      name: String, calibration: CameraCalibration, uncertainty: CalibrationUncertainty? = nil,
      depth: DepthMap? = nil, isRectified: Bool = false
    ) {
      self.isRectified = isRectified
      self.name = name
      self.calibration = calibration
      self.uncertainty = uncertainty
      self.depth = depth
    }

    /// What its pixels follow: the calibration, without a lens that is no longer in the images.
    var calibrationOfPixels: CameraCalibration {
      var calibration = calibration
      if isRectified { calibration.distortion = nil }
      return calibration
    }

    /// Whether it states a lens that is left out of the comparison.
    public var leavesOutLens: Bool { isRectified && calibration.distortion != nil }
  }

  /// The difference of two maps, pixel by pixel.
  public struct DepthDifference: Hashable, Sendable {
    /// The number of pixels that both measured.
    public var commonCount: Int
    /// The median of second minus first, in millimeters.
    public var medianMillimeters: Double
    /// The median distance from that median, in millimeters.
    public var madMillimeters: Double
    /// The share of common pixels that agree within 5 %; a fixed camera and scene have most.
    public var agreeingFraction: Double
  }

  /// The first side.
  public let first: Side
  /// The second side.
  public let second: Side
  /// The size in whose pixels differences are reported: the first side's reference.
  public let size: RasterSize
  /// Second over first focal length, minus 1, in percent.
  public let focalPercent: Double
  /// One standard deviation of `focalPercent`.
  public let focalSigmaPercent: Double
  /// The source of that sigma, in words.
  public let sigmaBasis: String
  /// Second minus first principal point.
  public let principalPointPixels: SIMD2<Double>
  /// Second minus first distortion center; `nil` unless both have one.
  public let distortionCenterPixels: SIMD2<Double>?
  /// The largest difference of the two lenses alone on the image, in pixels.
  public let distortionPixels: Double
  /// The largest distance between where both see one ray, in pixels.
  public let largestPixels: Double
  /// The difference of both over the image, with and without a rotation of the whole camera.
  public let projection: ProjectionDifference
  /// The difference of the depth maps; `nil` unless both are metric and of one size.
  public let depth: DepthDifference?

  /// What lengths across the image, measured with the second, are off against the first, in
  /// percent: opposite to the focal length.
  public var lengthPercent: Double { 100 * (1 / (1 + focalPercent / 100) - 1) }

  /// The depth at which millimeters are reported, in meters: the first map's median, else 1.
  public var atMeters: Double { first.depth?.statistics.medianMeters ?? 1 }

  /// How much farther a thing of known size stands by the second's numbers, in millimeters.
  public var poseMillimeters: Double { 1000 * atMeters * focalPercent / 100 }

  /// One standard deviation of `poseMillimeters`.
  public var poseSigmaMillimeters: Double { 1000 * atMeters * focalSigmaPercent / 100 }

  /// The difference of the focal lengths in its standard deviations.
  private var focalSignificance: Double { abs(focalPercent) / max(focalSigmaPercent, 1e-12) }

  /// Whether the focal lengths differ by two standard deviations or more.
  var isFocalLengthDifferent: Bool { focalSignificance >= 2 }

  /// The comparison in a sentence.
  public var reason: String {
    let lengths =
      "lengths \(lengthPercent.fixed(3)) ± \(focalSigmaPercent.fixed(3)) %, the distance of known "
      + "things \(poseMillimeters.fixed(2)) ± \(poseSigmaMillimeters.fixed(2)) mm at "
      + "\(atMeters.fixed(2)) m"
    if !isFocalLengthDifferent {
      return "The focal lengths do not differ beyond what is known of them: \(lengths)."
    }
    return
      "The focal lengths differ by \(focalSignificance.fixed(0)) standard deviations: \(lengths)."
  }
}

extension CalibrationComparison {
  /// The sides that state how far their pixels can be off.
  enum StatedUncertainties: String {
    /// The first side alone.
    case first = "a"
    /// The second side alone.
    case second = "b"
    /// Both sides.
    case both

    /// The sides that state a ±, as words after "the ± that".
    var words: String {
      switch self {
      case .first: "the first states"
      case .second: "the second states"
      case .both: "both state"
      }
    }
  }

  /// The sides that state a ± of pixels; `nil` where no side does.
  var statedUncertainties: StatedUncertainties? {
    switch (first.uncertainty?.projection, second.uncertainty?.projection) {
    case (nil, nil): nil
    case (_?, nil): .first
    case (nil, _?): .second
    case (_?, _?): .both
    }
  }

  /// How far apart both see rays once the rotation of the whole camera is taken out, in a clause.
  public var rotationText: String {
    guard let rotated = projection.summaryWithoutRotation, let whole = projection.summary,
      let degrees = projection.angleDegrees
    else { return "not known: too few rays of the first are in the image of the second" }
    let angle = degrees < 0.0005 ? "under 0.001°" : "\(degrees.fixed(degrees < 1 ? 3 : 2))°"
    return "up to \(rotated.maximumPixels.fixed(2)) px apart instead of "
      + "\(whole.maximumPixels.fixed(2)) once a rotation of \(angle) is taken out (median "
      + "\(rotated.medianPixels.fixed(2)) px\(sigmasText))"
  }

  /// How many times the ± the difference is at most, after a semicolon; empty where no side states
  /// one.
  private var sigmasText: String {
    guard let stated = statedUncertainties, let sigmas = projection.maximumSigmas else { return "" }
    return "; at most \(sigmas.fixed(1)) times the ± that \(stated.words)"
  }
}
