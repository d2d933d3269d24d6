import PlumblineModel
import PlumblineStereo

/// A focal length of a pair without a calibration, and where it comes from.
struct FocalLength {
  var pixels: Double
  var basis: String
  /// Whether nothing is known, so that it is a guess.
  var isAssumed = false

  /// The ± that a focal length has which no calibration of this pair measured, relative to it.
  ///
  /// - Source: Exif's focal length is in whole millimeters of 35 mm film: ± 0.29 mm of 13 to 77 mm
  ///   are 0.4 to 2.2 %; of a number that somebody typed nothing is known, so it has the same.
  var sigmaShare: Double { 0.02 }
}

/// The ± of numbers of a geometry that somebody told, and what must be said of them.
enum ToldGeometry {
  /// The ± of a baseline that was told, relative to it: a millimeter on a ruler over 10 cm.
  static let baselineShare = 0.01
  /// The ± of an offset that was told, in pixels.
  ///
  /// - Source: a number of whole pixels has ± 0.29, and boards measure the disparity of infinity to
  ///   ± 0.16 px (OpenCV's 13 pairs, Documentation/stereo.md): together 0.33.
  static let offsetSigmaPixels = 0.33

  static func uncertainty(
    baselineMeters: Double, focalShare: Double, offsetPixels: Double?
  ) -> StereoUncertainty {
    StereoUncertainty(
      baselineMeters: baselineMeters * baselineShare, focalLengthShare: focalShare,
      offsetPixels: offsetPixels,
      basis:
        "numbers that were told: ± of the baseline assumed \((baselineShare * 100).fixed(0)) %, "
        + "of the focal length \((focalShare * 100).fixed(0)) %")
  }

  /// The doubt about a metric geometry that nobody measured.
  static func finding(_ calibration: StereoCalibration, focalBasis: String) -> Finding {
    let known = calibration.uncertainty
    let share = ((known?.focalLengthShare ?? 0) * 100, baselineShare * 100)
    let offset = known?.offsetPixels.map { ", of the offset \($0.fixed(2)) px" } ?? ""
    return Finding(
      .stereoGeometryTold, .caution,
      "The geometry of the cameras was told, not measured: the ± of depths assumes ± "
        + "\(share.0.fixed(0)) % of the focal length, \(share.1.fixed(0)) % of the baseline\(offset).",
      evidence:
        "focal length \(calibration.left.intrinsics.focalLength.x.fixed(1)) px (\(focalBasis)), "
        + "baseline \((calibration.baselineMeters * 1000).fixed(1)) mm")
  }

  /// The doubt about pictures of which nobody measured where the principal points lie.
  static func offsetUnknown(isScaleKnown: Bool, _ evidence: String) -> Finding {
    Finding(
      .stereoOffsetUnknown, .caution,
      "Nobody measured by how many columns the principal points of the two images differ, and all "
        + "disparities are off by that number: depths are relative"
        + (isScaleKnown ? ", although focal length and baseline are known" : "")
        + ". Give a calibration, two known distances to plumbline check, or, for rectified images, "
        + "--offset.",
      evidence: evidence)
  }
}
