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
      let correction = RowCorrection(before.matches, camera: stated.rectification.right),
      correction.isNeeded
    else { return stated }
    var straight = geometry
    straight.calibration = correction.applied(to: stated.rectification)
    Self.addAmbiguity(of: correction, to: &straight.calibration)
    guard var result = try? stage(left, right, straight) else { return stated }
    let after = result.points
    guard after.verticalResidualPixels < before.verticalResidualPixels,
      after.agreeingCount * 10 >= before.agreeingCount * 9
    else { return stated }
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

  /// The difference at the edges, in pixels, from which it is a caution.
  private static let ambiguityLimit = 0.5

  /// Adds what the rows leave open of the columns to the ± of the disparity of infinity.
  private static func addAmbiguity(
    of correction: RowCorrection, to calibration: inout StereoCalibration
  ) {
    let scale = calibration.left.intrinsics.focalLength.x / correction.focalPixels
    let ambiguity = correction.ambiguityPixels * scale
    var uncertainty =
      calibration.uncertainty
      ?? StereoUncertainty(basis: "the rows of the images, which a yaw and a distortion move alike")
    let known = uncertainty.offsetPixels ?? 0
    uncertainty.offsetPixels = (known * known + ambiguity * ambiguity).squareRoot()
    calibration.uncertainty = uncertainty
  }

  /// The finding about rows that were straightened.
  private static func straightened(
    _ correction: RowCorrection, from before: Double, to after: Double
  ) -> Finding {
    func degrees(_ value: RowCorrection.Number) -> String {
      let scale = 180 / Double.pi
      return "\((value.value * scale).fixed(3)) ± \((value.sigma * scale).fixed(3))°"
    }
    let ambiguity = correction.ambiguityAtEdgePixels
    let isAmbiguous = ambiguity > ambiguityLimit
    let edges =
      isAmbiguous
      ? " Toward the left and right edges they may be off by up to \(ambiguity.fixed(1)) px, since a "
        + "distortion of the lenses moves rows as a yaw does: the ± of depths includes it."
      : ""
    return Finding(
      .stereoVerticalResidual, isAmbiguous ? .caution : .note,
      "The rows of the two images were \(before.fixed(2)) px apart under the geometry in the file, "
        + "\(after.fixed(2)) px after the right camera was turned and scaled as the points in both say; "
        + "disparities in the middle stay those of the file." + edges,
      evidence: "\(correction.pointCount) points: pitch \(degrees(correction.pitch)), roll "
        + "\(degrees(correction.roll)), yaw \(degrees(correction.yaw)), scale \((correction.scale.value * 100).fixed(3)) ± "
        + "\((correction.scale.sigma * 100).fixed(3)) %")
  }
}
