import PlumblineImages
import PlumblineModel
import PlumblineStereo

/// A pair after rectification, with the points that both images show.
struct RectifiedStage {
  var geometry: StereoGeometry
  var rectification: StereoRectification
  var images: RectifiedImages
  /// The columns of an image before it was reduced, per column after.
  var reduction: Double
  var points: PairSurvey
}

extension StereoReconstructor {
  /// Rectifies a pair; a file that states no turns has its rows straightened by the points in both images.
  ///
  /// Spatial photos state positions and focal lengths, but no turns. A correction is kept only if the rows
  /// are nearer to one another with it and as many points agree.
  func straightened(
    _ left: StereoImage, _ right: StereoImage, _ geometry: StereoGeometry
  ) throws(StereoError) -> RectifiedStage {
    let stated = try stage(left, right, geometry)
    let before = stated.points
    guard geometry.basis == .file,
      let correction = RowCorrection.fitted(to: before.matches, stated.rectification)
    else { return stated }
    // A yaw that rows hardly show is not corrected, but may be there all the same.
    var kept = stated
    if geometry.calibration.rightFromLeft.rotation == .identity {
      Self.addOpenDisparity(of: correction, to: &kept.geometry.calibration)
      kept.rectification = stated.rectification.stating(kept.geometry.calibration.uncertainty)
    }
    guard correction.isNeeded else { return kept }
    var straight = geometry
    straight.calibration = correction.applied(to: stated.rectification)
    Self.addOpenDisparity(of: correction, to: &straight.calibration)
    guard var result = try? stage(left, right, straight) else { return kept }
    let after = result.points
    guard after.verticalResidualPixels < before.verticalResidualPixels,
      after.agreeingCount * 10 >= before.agreeingCount * 9
    else { return kept }
    result.geometry.findings.append(
      Self.straightened(
        correction, from: before.verticalResidualPixels, to: after.verticalResidualPixels))
    return result
  }

  private func stage(
    _ left: StereoImage, _ right: StereoImage, _ geometry: StereoGeometry
  ) throws(StereoError) -> RectifiedStage {
    let (rectification, images, reduction) = try rectifiedPair(left, right, geometry)
    let points = PairSurvey(images.pair, infinityPixels: -rectification.principalOffsetPixels)
    return RectifiedStage(
      geometry: geometry, rectification: rectification, images: images, reduction: reduction,
      points: points)
  }

  /// The ± of disparities from which it is a caution, in pixels.
  private static let openLimit = 0.5

  /// Adds what the rows leave open of the columns to the ± of the disparity of infinity.
  private static func addOpenDisparity(
    of correction: RowCorrection, to calibration: inout StereoCalibration
  ) {
    let scale = calibration.left.intrinsics.focalLength.x / correction.focalPixels
    let unknownYaw = correction.yaw.sigma * correction.focalPixels
    let left = correction.disparitySigmaPixels
    let open = (left * left + unknownYaw * unknownYaw).squareRoot() * scale
    var uncertainty =
      calibration.uncertainty
      ?? StereoUncertainty(basis: "the rows of the images, which a yaw and a distortion move alike")
    let known = uncertainty.offsetPixels ?? 0
    uncertainty.offsetPixels = (known * known + open * open).squareRoot()
    calibration.uncertainty = uncertainty
  }

  /// The finding about rows that were straightened.
  private static func straightened(
    _ correction: RowCorrection, from before: Double, to after: Double
  ) -> Finding {
    func number(_ value: RowCorrection.Number, _ factor: Double, _ unit: String) -> String {
      "\((value.value * factor).fixed(3)) ± \((value.sigma * factor).fixed(3))\(unit)"
    }
    let degrees = 180 / Double.pi
    let open = correction.disparitySigmaPixels
    return Finding(
      .stereoVerticalResidual, open > openLimit ? .caution : .note,
      "The rows of the two images were \(before.fixed(2)) px apart under the geometry in the file, "
        + "\(after.fixed(2)) px after the right camera was turned, scaled and distorted as the points "
        + "in both say; disparities in the middle stay those of the file. A yaw would move them, and a "
        + "distortion of both lenses those at the edges: ± \(open.fixed(2)) px of the rectified left image "
        + "(f = \(correction.focalPixels.fixed(0)) px) are in the ± of depths.",
      evidence: [
        "\(correction.pointCount) points: pitch \(number(correction.pitch, degrees, "°"))",
        "roll \(number(correction.roll, degrees, "°"))",
        "yaw \(number(correction.yaw, degrees, "°"))",
        "scale \(number(correction.scale, 100, " %"))",
        "k1 of the right lens \(number(correction.ownRadial, 1, ""))",
      ].joined(separator: ", "))
  }
}
