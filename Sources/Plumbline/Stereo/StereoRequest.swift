public import PlumblineStereo

/// The settings for depth from two images.
public struct StereoRequest: Sendable {
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
  /// told.
  public var focalLengthPixels: Double?
  /// The distance between the cameras in meters, for pairs without a calibration; `nil` when not
  /// told.
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
  /// The most pixels of a rectified image; larger ones are reduced.
  public var maximumPixels: Int
  /// The most threads at work; results do not depend on it.
  public var threads: Int

  /// The pixels up to which images are matched as they are: three
  /// megapixels take some seconds and about half a gigabyte, and finer ones say little more of
  /// most scenes.
  public static let usualPixels = 3_000_000

  /// Creates a request with settings that suit most pairs.
  public init() {
    paths = .eight
    maximumPixels = Self.usualPixels
    threads = 2
  }
}
