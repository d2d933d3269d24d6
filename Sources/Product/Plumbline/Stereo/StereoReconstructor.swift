public import PlumblineImages
import PlumblineModel
public import PlumblineStereo

/// Computes depth from two images: finds their geometry, rectifies and matches them.
///
/// ```swift
/// let images = try StereoImageReader().pair(from: bytes)
/// let result = try StereoReconstructor().reconstruct(
///   left: images.left, right: images.right, fileName: "spatial.heic")
/// print(result.analysis.assessment.reason)
/// ```
public struct StereoReconstructor: Sendable {
  /// The geometry of images that are rectified already.
  public struct RectifiedGeometry: Hashable, Sendable {
    /// The focal length in pixels of the images; `nil` when not known, and then it is assumed.
    public var focalLengthPixels: Double?
    /// The distance between the cameras in meters; `nil` when not known, and depth is relative.
    public var baselineMeters: Double?
    /// The right principal point's column minus the left one's, in pixels; `nil` when not known,
    /// and depth is relative, since all pixel disparities may be off by it.
    public var offsetPixels: Double?
    /// One standard deviation of the focal length in pixels; `nil` to assume one.
    public var focalSigmaPixels: Double?
    /// One standard deviation of the baseline in meters; `nil` to assume one.
    public var baselineSigmaMeters: Double?
    /// One standard deviation of the offset in pixels; `nil` to assume one.
    public var offsetSigmaPixels: Double?

    /// Creates a geometry from its parts, without a ± of them.
    ///
    /// - Precondition: Lengths are above 0, and all numbers finite.
    public init(
      focalLengthPixels: Double? = nil, baselineMeters: Double? = nil, offsetPixels: Double? = nil
    ) {
      precondition(
        [focalLengthPixels, baselineMeters].allSatisfy { $0.map { $0 > 0 && $0.isFinite } ?? true }
          && offsetPixels?.isFinite != false, "no geometry of two cameras")
      self.focalLengthPixels = focalLengthPixels
      self.baselineMeters = baselineMeters
      self.offsetPixels = offsetPixels
    }
  }

  /// The calibration of both cameras; `nil` to use what the images say, or to estimate it.
  public var calibration: StereoCalibration?
  /// Whether the images' rows agree already, and with which geometry; `nil` when they do not.
  public var rectified: RectifiedGeometry?
  /// The focal length of both images in pixels, for pairs without a calibration; `nil` when not
  /// given.
  public var focalLengthPixels: Double?
  /// The distance between the cameras in meters, for pairs without a calibration; `nil` when not
  /// given.
  public var baselineMeters: Double?
  /// One standard deviation of ``focalLengthPixels``, in pixels; `nil` to assume one.
  public var focalSigmaPixels: Double?
  /// One standard deviation of ``baselineMeters``, in meters; `nil` to assume one.
  public var baselineSigmaMeters: Double?
  /// The pixel disparities to try; `nil` to find out from points that both images show.
  public var disparities: Range<Int>?
  /// The depths to look for, in meters; `nil` for all, and only with a metric geometry.
  public var rangeMeters: ClosedRange<Double>?
  /// From how many directions the matcher sums costs.
  public var paths: StereoMatcher.Paths
  /// The maximum number of pixels of a rectified image; larger ones are reduced.
  public var maximumPixels: Int
  /// The maximum number of threads; the result does not depend on it.
  public var threads: Int

  /// The pixels up to which images are matched as they are: three
  /// megapixels take some seconds and about half a gigabyte, and finer ones say little more of
  /// most scenes.
  public static let usualPixels = 3_000_000

  /// Creates a reconstructor with settings that suit most pairs.
  public init() {
    paths = .eight
    maximumPixels = Self.usualPixels
    threads = 2
  }

  /// Computes depth from two images.
  ///
  /// - Parameters:
  ///   - left: The left image, for which depth is computed.
  ///   - right: The right image.
  ///   - fileName: The name that outputs carry.
  ///   - sha256: The digest of the file that held both; `nil` for two files.
  /// - Returns: The depth as a capture, and what led to it.
  /// - Throws: ``StereoError`` with a sentence for pairs that give no depth: images of two sizes,
  ///   swapped, identical or unrelated ones, a baseline of 0, or more work than allowed. Cost:
  ///   O(pixels · disparities).
  public func reconstruct(
    left: StereoImage, right: StereoImage, fileName: String, sha256: String? = nil
  ) throws -> StereoResult {
    try Self.requireTwo(left, right)
    let stage = try straightened(left, right, try geometry(left: left, right: right))
    let (geometry, rectification, images) = (stage.geometry, stage.rectification, stage.images)
    let points = stage.points
    do throws(StereoError) {
      try points.requireUsable()
    } catch {
      throw geometry.basis == .rectified ? error.withOrientation(of: left) : error
    }
    // Only a given calibration can be given to the wrong images; a good fit needs no second look.
    if geometry.basis == .calibration, points.verticalResidualPixels > Self.maximumVerticalPixels,
      let exchanged = try? rectifiedPair(right, left, geometry)
    {
      try points.requireOrder(
        against: PairSurvey(
          exchanged.images.pair,
          infinityPixels: -exchanged.rectification.principalOffsetPixels))
    }
    let (disparities, isRangeFound) = try range(rectification, points)
    let matcher = StereoMatcher(disparities: disparities, paths: paths)
    let match = try matcher.match(images.pair, threads: threads)
    let depth = StereoDepth(match, rectification)
    var capture = depth.capture(
      color: images,
      matching: "semi-global matching, \(paths.rawValue) paths, pixel disparities "
        + "\(disparities.lowerBound) to \(disparities.upperBound - 1); removed \(match.removed.inWords)",
      source: left.source)
    capture.colorOrientation = left.orientation
    capture.depth?.orientation = left.orientation
    capture.findings =
      left.findings + right.findings + geometry.findings
      + Self.findings(points, match, isRangeFound, rectification)
    let analysis = try CaptureAnalyzer().analyze(capture, fileName: fileName, sha256: sha256)
    return StereoResult(
      fileName: fileName, geometry: geometry, rectification: rectification, images: images,
      survey: points, disparities: disparities, isRangeFound: isRangeFound, match: match,
      missing: depth.missing, analysis: analysis, reduction: stage.reduction)
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

  /// Both images with common rows, reduced to ``maximumPixels``, and by how much.
  func rectifiedPair(
    _ left: StereoImage, _ right: StereoImage, _ geometry: StereoGeometry
  ) throws(StereoError) -> (
    rectification: StereoRectification, images: RectifiedImages, reduction: Double
  ) {
    let most = Double(max(1, maximumPixels))
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
      left: left.color, right: right.color, threads: threads)
    return (rectification, images, 1 / scale)
  }

  /// The pixel disparities to try, by depths or numbers that were given, or by points in both images.
  private func range(
    _ rectification: StereoRectification, _ survey: PairSurvey
  ) throws(StereoError) -> (pixels: Range<Int>, isFound: Bool) {
    if let disparities { return (disparities, false) }
    if let meters = rangeMeters {
      guard rectification.calibration.isMetric else {
        throw StereoError(
          .relative, expected: "a geometry in meters for a range in meters",
          found: "a relative one")
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

extension StereoError {
  /// The same error with what the file says of the rows: those of the stored pixels count.
  fileprivate func withOrientation(of image: StereoImage) -> StereoError {
    guard image.orientation != .up else { return self }
    return StereoError(
      reason, expected: expected,
      found: found + "; rows are those of the stored pixels, which are shown turned by the "
        + "orientation \(image.orientation.rawValue) of the file")
  }
}
