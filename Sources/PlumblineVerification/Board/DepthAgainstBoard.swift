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
  /// The median distance of the corners, in meters.
  public var distanceMeters: Double
  /// The lengths between corners against the board's; `nil` where too few were measured.
  public var length: BoardDepthCheck.LengthError?
  /// The root mean square distance of the sensor's points from their plane, the median of the
  /// frames, in meters; `nil` where too few were measured.
  public var planeRMSMeters: Double?

  /// Sums frames up; `nil` for none.
  init?(_ all: [BoardDepthCheck]) {
    let frontal = all.filter { $0.tiltRadians <= Self.frontalTilt }
    isFrontal = frontal.count >= 3
    frames = isFrontal ? frontal : all
    guard let differences = SampleSpread(frames.flatMap { $0.sortedDifferences }),
      let distance = SampleSpread.median(of: frames.map(\.distanceMeters))
    else { return nil }
    self.differences = differences
    distanceMeters = distance
    planeRMSMeters = SampleSpread.median(of: all.compactMap(\.planeRMSMeters))
    let lengths = frames.compactMap(\.length)
    guard let spread = SampleSpread(lengths.map(\.share)),
      let noise = SampleSpread.median(of: lengths.map(\.sigmaShare))
    else { return }
    // Between frames, or within one, whichever says less for itself.
    let between = max(spread.sigma, noise) * (Double.pi / 2 / Double(lengths.count)).squareRoot()
    let sigma = (between * between + Self.sensorScaleSigma * Self.sensorScaleSigma).squareRoot()
    length = BoardDepthCheck.LengthError(share: spread.median, sigmaShare: sigma)
  }
}

extension BoardDepthCheck {
  /// The differences in the order of their corners.
  public var sortedDifferences: [Double] {
    differencesMeters.sorted { $0.key < $1.key }.map(\.value)
  }
}
