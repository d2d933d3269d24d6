import PlumblineModel
import PlumblineVision

/// The sensor's depth and the lengths measured with it, against the board, through one camera.
public struct DepthAgainstBoard: Sendable {
  /// The scale of the sensor's own depth, one standard deviation as a share.
  ///
  /// No camera calibration explains it away; without it a single frame would seem far too sure.
  /// - Source: lengths through self-calibrated cameras on the public data of three devices are off
  ///   by −0.64 %, −0.43 % and at most 0.7 %; `Documentation/decisions/0014-…`.
  static let sensorScaleSigma = 0.006
  /// How far a board may lean back to count as frontal: 30°, in radians.
  static let frontalTilt = Double.pi / 6

  /// The frames compared: the frontal ones where there are three, else all.
  public var frames: [BoardDepthCheck]
  /// Whether only frontal frames were compared.
  public var isFrontal: Bool
  /// Sensor depth minus board depth at all corners, in meters.
  public var differences: SampleSpread
  /// One standard deviation of the median of `differences`, in meters.
  ///
  /// It holds how much frames disagree, and where the ± of the camera's focal length puts the board;
  /// not the sensor's own scale, which is what the median shows.
  public var differenceSigmaMeters: Double
  /// The median distance of the corners, in meters.
  public var distanceMeters: Double
  /// The lengths between corners against the board's; `nil` where too few were measured.
  public var length: BoardDepthCheck.LengthError?
  /// The root mean square distance of the sensor's points from their plane, the median of the
  /// frames, in meters; `nil` where too few were measured.
  public var planeRMSMeters: Double?

  /// Sums frames up; `nil` for none.
  ///
  /// - Parameters:
  ///   - all: The frames.
  ///   - focalSigmaShare: One standard deviation of the camera's focal length as a share of it; 0 for
  ///     a camera that is taken as it is.
  init?(_ all: [BoardDepthCheck], focalSigmaShare: Double = 0) {
    let frontal = all.filter { $0.tiltRadians <= Self.frontalTilt }
    isFrontal = frontal.count >= 3
    frames = isFrontal ? frontal : all
    guard let differences = SampleSpread(frames.flatMap { $0.sortedDifferences }),
      let distance = SampleSpread.median(of: frames.map(\.distanceMeters))
    else { return nil }
    self.differences = differences
    distanceMeters = distance
    planeRMSMeters = SampleSpread.median(of: all.compactMap(\.planeRMSMeters))
    differenceSigmaMeters = Self.medianSigma(of: frames, focalSigmaShare * distance)
    let lengths = frames.compactMap(\.length)
    guard let spread = SampleSpread(lengths.map(\.share)),
      let noise = SampleSpread.median(of: lengths.map(\.sigmaShare))
    else { return }
    // Between frames, or within one, whichever says less for itself.
    let between = max(spread.sigma, noise) * (Double.pi / 2 / Double(lengths.count)).squareRoot()
    // A length is the smaller the longer the focal length is taken.
    let square =
      between * between + Self.sensorScaleSigma * Self.sensorScaleSigma
      + focalSigmaShare * focalSigmaShare
    length = BoardDepthCheck.LengthError(share: spread.median, sigmaShare: square.squareRoot())
  }

  /// The ± of a median over frames, whose corners share their errors: from the frames' own medians,
  /// or from the corners where that says more.
  ///
  /// - Source: the efficiency of a median is 2/π of a mean's.
  private static func medianSigma(of frames: [BoardDepthCheck], _ further: Double) -> Double {
    let medians = frames.compactMap { SampleSpread.median(of: $0.sortedDifferences) }
    let count = Double(medians.count)
    let mean = medians.reduce(0, +) / max(count, 1)
    // The plain deviation, since the median one of few frames is too often much too small.
    let between =
      medians.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / max(count - 1, 1)
    let within = frames.compactMap { frame in
      SampleSpread(frame.sortedDifferences).map { $0.sigma * $0.sigma / Double($0.count) }
    }
    let variance = max(between, SampleSpread.median(of: within) ?? 0) / max(count, 1)
    return (variance * .pi / 2 + further * further).squareRoot()
  }
}

extension BoardDepthCheck {
  /// The differences in the order of their corners.
  public var sortedDifferences: [Double] {
    differencesMeters.sorted { $0.key < $1.key }.map(\.value)
  }
}
