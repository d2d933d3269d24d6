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
  /// The distance between the cameras that was told, in meters, also where nothing is in meters for all
  /// that; `nil` where none was told.
  package internal(set) var toldBaselineMeters: Double?
  /// The finding about the geometry.
  public internal(set) var findings: [Finding] = []

  /// The focal length of an image about which nothing is known, per longer side.
  ///
  /// - Source: COLMAP's default, 1.2: a horizontal field of view of 45°, between those of phones'
  ///   wide (about 70°) and tele cameras (about 40°).
  public static let assumedFocalShare = 1.2
}

/// A focal length of a pair without a calibration, and where it comes from.
struct FocalLength {
  var pixels: Double
  var basis: String
  /// One standard deviation in pixels, where it was given with the focal length.
  var statedSigmaPixels: Double?
  /// Whether nothing is known, so that it is a guess.
  var isAssumed = false

  /// The ± relative to the focal length: as stated, else what is assumed.
  ///
  /// - Source: Exif's focal length is in whole millimeters of 35 mm film: ± 0.29 mm of 13 to 77 mm
  ///   are 0.4 to 2.2 %; of a number that a user typed nothing is known, so it has the same. A
  ///   guess has the 25 % of `Documentation/sensors.md`, this project's assumption.
  var sigmaShare: Double { statedSigmaPixels.map { $0 / pixels } ?? (isAssumed ? 0.25 : 0.02) }
}

/// The given numbers of a metric geometry, their ±, and the findings about them.
struct GivenStereoGeometry {
  /// The ± of a baseline that was given without one, relative to it: a millimeter on a ruler over
  /// 10 cm.
  static let baselineShare = 0.01
  /// The ± of an offset that was given without one, in pixels.
  ///
  /// - Source: a number of whole pixels has ± 0.29, and boards measure the disparity of infinity to
  ///   ± 0.16 px (OpenCV's 13 pairs, Documentation/stereo.md): together 0.33.
  static let offsetSigmaPixels = 0.33

  var focal: FocalLength
  var baselineMeters: Double
  /// One standard deviation in meters, where it was stated.
  var statedBaselineSigmaMeters: Double?
  /// One standard deviation of the offset in pixels, where it was stated or measured; `nil` to
  /// assume one.
  var knownOffsetSigmaPixels: Double?

  private var baselineSigmaMeters: Double {
    statedBaselineSigmaMeters ?? baselineMeters * Self.baselineShare
  }
  private var offsetSigmaPixels: Double { knownOffsetSigmaPixels ?? Self.offsetSigmaPixels }

  /// The ± of the numbers, for the ± of each depth.
  var uncertainty: StereoUncertainty {
    StereoUncertainty(
      baselineMeters: baselineSigmaMeters, focalLengthShare: focal.sigmaShare,
      offsetPixels: offsetSigmaPixels,
      basis: "numbers that were told: " + sentence(known.isEmpty ? [] : ["± " + list(known)]))
  }

  /// The finding about a metric geometry that was not measured: a note where each number has its
  /// ±, else a caution that says what is assumed.
  var finding: Finding {
    let text =
      assumed.isEmpty
      ? "The geometry of the cameras was told, with a ± of each number; nothing in the images "
        + "shows whether it holds: ± \(list(known))."
      : "The geometry of the cameras was told, not measured: the ± of depths "
        + sentence(known.isEmpty ? [] : ["takes ± " + list(known)]) + "."
    return Finding(
      .stereoGeometryTold, assumed.isEmpty ? .note : .caution, text,
      evidence: "focal length \(focal.pixels.fixed(1)) px (\(focal.basis)), "
        + "baseline \((baselineMeters * 1000).fixed(1)) mm")
  }

  /// The stated and the assumed numbers, in one clause.
  private func sentence(_ stated: [String]) -> String {
    (stated + (assumed.isEmpty ? [] : ["assumes ± " + list(assumed)])).joined(separator: " and ")
  }

  private func list(_ parts: [String]) -> String { parts.joined(separator: ", ± ") }

  private var assumed: [String] {
    var parts: [String] = []
    if focal.statedSigmaPixels == nil {
      parts.append("\((focal.sigmaShare * 100).fixed(0)) % of the focal length")
    }
    if statedBaselineSigmaMeters == nil {
      parts.append("\((Self.baselineShare * 100).fixed(0)) % of the baseline")
    }
    if knownOffsetSigmaPixels == nil {
      parts.append("\(Self.offsetSigmaPixels.fixed(2)) px of the offset")
    }
    return parts
  }

  private var known: [String] {
    var parts: [String] = []
    if let sigma = focal.statedSigmaPixels {
      parts.append("\(sigma.fixed(2)) px of the focal length")
    }
    if let sigma = statedBaselineSigmaMeters {
      parts.append("\((sigma * 1000).fixed(2)) mm of the baseline")
    }
    if let sigma = knownOffsetSigmaPixels { parts.append("\(sigma.fixed(2)) px of the offset") }
    return parts
  }

  /// The finding about images whose principal points were not measured.
  static func offsetUnknown(isScaleKnown: Bool, isRectified: Bool) -> Finding {
    Finding(
      .stereoOffsetUnknown, .caution,
      "Nobody measured by how many columns the principal points of the two images differ, and all "
        + "disparities are off by that number: depths are relative"
        + (isScaleKnown ? ", although focal length and baseline are known" : "")
        + ". Give a calibration, two known distances, or, for rectified images, the offset.",
      evidence: isRectified
        ? "rectified images without an offset" : "principal points assumed in the middle",
      remedies: (isRectified ? [.giveOffset] : []) + [.calibratePair, .measureDistances])
  }
}

extension RelativePose {
  /// The pose of two cameras by their images; patches are turned when images held alike give
  /// none.
  static func estimated(
    left: Raster<UInt8>, right: Raster<UInt8>,
    cameras: (left: CameraCalibration, right: CameraCalibration),
    unknowns: (left: CameraUnknowns?, right: CameraUnknowns?)
  ) throws(StereoError) -> RelativePose {
    var matching = PairMatching()
    let matches = matching.matches(left: left, right: right)
    do throws(StereoError) {
      return try RelativePose.found(
        in: matches, left: cameras.left, right: cameras.right, unknowns: unknowns)
    } catch {
      guard error.reason == .degenerate, matches.count < 100 else { throw error }
      matching.isUpright = false
      let turned = matching.turnedMatches(left: left, right: right)
      guard turned.matches.count > matches.count else { throw error }
      return try RelativePose.found(
        in: turned.matches, left: cameras.left, right: cameras.right, unknowns: unknowns,
        turn: turned.turn)
    }
  }
}
