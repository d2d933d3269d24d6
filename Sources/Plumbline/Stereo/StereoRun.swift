public import PlumblineImages
import PlumblineModel
public import PlumblineStereo

/// The way of two images: their geometry found, rectified, matched, and made a capture.
///
/// ```swift
/// let images = try StereoImageReader().pair(from: bytes)
/// let run = try StereoRun(left: images.left, right: images.right, fileName: "spatial.heic")
/// print(run.check.assessment.reason)
/// ```
public struct StereoRun: Sendable {
  /// The name that outputs carry.
  public var fileName: String
  /// The geometry and where it comes from.
  public let geometry: StereoGeometry
  /// How the images were turned so that rows agree, at the size that was matched.
  public let rectification: StereoRectification
  /// The rectified images.
  public let images: RectifiedImages
  /// The check by points that both images show.
  public let survey: PairSurvey
  /// The pixel disparities that were tried.
  public let disparities: Range<Int>
  /// Whether they come from points in both images, rather than from the user or a guess.
  public let isRangeFound: Bool
  /// The pixel disparities with their ±.
  public let match: StereoMatch
  /// The result, read and assessed as any other capture.
  public let check: CaptureCheck
  /// By how much images were reduced before matching: 1 for not at all.
  public let reduction: Double

  /// Computes depth from two images.
  ///
  /// - Parameters:
  ///   - left: The left image, for which depth is computed.
  ///   - right: The right image.
  ///   - request: The settings.
  ///   - fileName: The name that outputs carry.
  ///   - sha256: The digest of the file that held both; `nil` for two files.
  /// - Throws: ``StereoError`` with a sentence for pairs that give no depth: images of two sizes,
  ///   swapped, identical or unrelated ones, a baseline of 0, or more work than allowed. Cost:
  ///   O(pixels · disparities).
  public init(
    left: StereoImage, right: StereoImage, request: StereoRequest = StereoRequest(),
    fileName: String, sha256: String? = nil
  ) throws {
    try Self.requireTwo(left, right)
    self.fileName = fileName
    let geometry = try StereoGeometry(left: left, right: right, request: request)
    self.geometry = geometry
    let prepared = try Self.rectified(left, right, geometry, request)
    rectification = prepared.rectification
    reduction = prepared.reduction
    images = prepared.images
    survey = PairSurvey(
      images.pair, infinityPixels: -rectification.principalOffsetPixels)
    try survey.requireUsable()
    // Only a given calibration can be given to the wrong images; a good fit needs no second look.
    if geometry.basis == .calibration, survey.verticalResidualPixels > Self.maximumVerticalPixels,
      let exchanged = try? Self.rectified(right, left, geometry, request)
    {
      try survey.requireOrder(
        against: PairSurvey(
          exchanged.images.pair,
          infinityPixels: -exchanged.rectification.principalOffsetPixels))
    }
    let range = try Self.range(request, rectification, survey)
    disparities = range.pixels
    isRangeFound = range.isFound
    let matcher = StereoMatcher(disparities: disparities, paths: request.paths)
    match = try matcher.match(images.pair, threads: request.threads)
    let depth = StereoDepth(match, rectification)
    var capture = depth.capture(
      color: images,
      matching: "semi-global matching, \(request.paths.rawValue) paths, pixel disparities "
        + "\(disparities.lowerBound) to \(disparities.upperBound - 1); removed \(match.removed.inWords)",
      source: left.source)
    capture.colorOrientation = left.orientation
    capture.depth?.orientation = left.orientation
    capture.findings =
      left.findings + right.findings + geometry.findings
      + Self.findings(survey, match, range.isFound, rectification)
    check = try CaptureCheck(capture, fileName: fileName, sha256: sha256)
  }

  /// Refuses one image given twice, whatever its geometry is said to be.
  private static func requireTwo(
    _ left: StereoImage, _ right: StereoImage
  ) throws(StereoError) {
    guard left.color.size.pixelCount > 0, right.color.size.pixelCount > 0 else {
      throw StereoError(.missing, expected: "two images", found: "an empty one")
    }
    if left.color == right.color {
      throw StereoError(
        .degenerate, expected: "two images", found: "the same image twice")
    }
  }

  private static func rectified(
    _ left: StereoImage, _ right: StereoImage, _ geometry: StereoGeometry,
    _ request: StereoRequest
  ) throws(StereoError) -> (
    rectification: StereoRectification, images: RectifiedImages, reduction: Double
  ) {
    let most = Double(max(1, request.maximumPixels))
    if geometry.basis == .rectified {
      let size = left.color.size
      let scale = min(1, (most / Double(size.pixelCount)).squareRoot())
      let target = RasterSize(
        width: max(1, Int(Double(size.width) * scale)),
        height: max(1, Int(Double(size.height) * scale)))
      let calibration = try geometry.calibration.scaled(left: target, right: target)
      let isSame = target == size
      return (
        try StereoRectification(asTaken: calibration),
        try RectifiedImages(
          asTaken: isSame ? left.color : left.color.averaged(to: target),
          right: isSame ? right.color : right.color.averaged(to: target)),
        Double(size.width) / Double(target.width)
      )
    }
    // The middle of both focal lengths' detail would waste nothing but time: the coarser camera
    // bounds what a disparity can be told from.
    var rectification = try StereoRectification(geometry.calibration, focalLength: .coarser)
    let scale = min(1, (most / Double(rectification.size.pixelCount)).squareRoot())
    if scale < 1 {
      rectification = try StereoRectification(
        geometry.calibration, focalLength: .pixels(rectification.focalLengthPixels * scale))
    }
    let images = try rectification.rectified(
      left: left.color, right: right.color, threads: request.threads)
    return (rectification, images, 1 / scale)
  }

  /// The pixel disparities to try, by depths or numbers that were given, or by points in both images.
  private static func range(
    _ request: StereoRequest, _ rectification: StereoRectification, _ survey: PairSurvey
  ) throws(StereoError) -> (pixels: Range<Int>, isFound: Bool) {
    if let told = request.disparities { return (told, false) }
    if let meters = request.rangeMeters {
      guard rectification.calibration.isMetric else {
        throw StereoError(
          .unsupported, expected: "a geometry in meters for a range in meters",
          found: "a relative one; give the range as --disparities")
      }
      guard
        let range = rectification.disparities(
          nearest: meters.lowerBound, farthest: meters.upperBound)
      else {
        throw StereoError(
          .mismatch, expected: "a range of depths that both images show",
          found: "\(meters.lowerBound)…\(meters.upperBound) m")
      }
      return (range, false)
    }
    let width = rectification.size.width
    if let found = survey.range(width: width) { return (found, true) }
    // Nothing is known: from infinity to what an eighth of the width shows.
    let infinity = Int((-rectification.principalOffsetPixels).rounded(.down))
    return (infinity - 2..<infinity + max(16, width / 8), false)
  }
}
