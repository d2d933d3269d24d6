import PlumblineModel
import PlumblineVision

/// Whether a device's own calibration describes its images.
public enum CalibrationVerdict: String, Sendable, CaseIterable {
  /// Within the tolerance.
  case fits
  /// Certainly outside the tolerance.
  case doesNotFit
  /// The frames do not decide it.
  case cannotTell
}

/// The evidence of focal length and lengths about a device's own calibration.
///
/// - Source of the limits: `Documentation/decisions/0030-when-a-calibration-fits.md`, with the
///   rates of wrong verdicts that they give.
struct CalibrationEvidence: Hashable, Sendable {
  /// What lengths and focal length may be off together and still fit, with twice its σ: 1.5 %.
  static let fitTolerance = 0.015
  /// What the focal length may be off and still fit, and must be off at least not to: 1 %, what
  /// arXiv 2201.10865, table 2, calls well calibrated.
  static let tolerance = 0.01
  /// What lengths through a recommended camera may be off: twice the sensor's own scale and 1 %.
  static let lengthTolerance = 0.02
  /// Fewer views than these may refute a calibration only beyond ``fitTolerance``: their ± rests on
  /// one view for each of the five blocks.
  static let viewsForTolerance = 10
  /// The fewest views that may refute a calibration without lengths.
  static let viewsWithoutLengths = 20

  /// The measured focal length over the factory's, minus 1.
  var focalShare: Double
  /// Its ± as a share.
  var focalSigma: BlockSigma
  /// Lengths measured through the factory's camera over the true ones, minus 1; `nil` without
  /// depth.
  var lengthShare: Double?
  /// One standard deviation of it, the sensor's own scale included.
  var lengthSigma = DepthAgainstBoard.sensorScaleSigma
  /// The number of views that it rests on.
  var viewCount: Int

  /// The conclusion from the evidence.
  enum Conclusion: Hashable, Sendable {
    case fits, doesNotFit
    /// A wrong focal length makes lengths wrong by as much; these are not.
    case contradiction
    /// The ± is too large, or the difference lies between both limits.
    case undecided
    /// The focal length differs, but no length confirms it and the views are few.
    case unconfirmed
  }

  /// Half of the interval that holds 95.4 % of the truths, over two.
  private var wideSigma: Double { focalSigma.plusMinus(normal: 2) / 2 }

  /// The mean of both shares by their weights, and its σ.
  private var combined: (share: Double, sigma: Double) {
    guard let lengthShare else { return (focalShare, wideSigma) }
    let weights = (
      focal: 1 / (wideSigma * wideSigma), length: 1 / (lengthSigma * lengthSigma)
    )
    let sum = weights.focal + weights.length
    return (
      (focalShare * weights.focal + lengthShare * weights.length) / sum, 1 / sum.squareRoot()
    )
  }

  var conclusion: Conclusion {
    guard focalShare.isFinite, wideSigma.isFinite, wideSigma > 0 else { return .undecided }
    if let lengthShare {
      let spread = (wideSigma * wideSigma + lengthSigma * lengthSigma).squareRoot()
      if abs(focalShare - lengthShare) > 2.5 * spread + Self.curvature(focalShare) {
        return .contradiction
      }
    }
    let combined = combined
    // A sound device may be 0.6 % off; σ keeps one that only looks beyond 1 % from being accused.
    let limit = viewCount < Self.viewsForTolerance ? Self.fitTolerance : Self.tolerance
    if abs(combined.share) > max(limit + combined.sigma, 3 * combined.sigma),
      abs(focalShare) > focalSigma.plusMinus(normal: 2.5), abs(focalShare) > Self.tolerance
    {
      guard let lengthShare else {
        // 3 deviations of a normal distribution are exceeded 27 times in 10,000.
        return viewCount >= Self.viewsWithoutLengths
          && abs(focalShare) > focalSigma.plusMinus(normal: 3) ? .doesNotFit : .unconfirmed
      }
      let agrees = lengthShare * focalShare > 0 && abs(lengthShare) >= Self.tolerance
      return agrees ? .doesNotFit : .undecided
    }
    if abs(combined.share) + 2 * combined.sigma <= Self.fitTolerance,
      abs(focalShare) <= Self.tolerance
    {
      return .fits
    }
    return .undecided
  }

  /// Lengths follow f/f′, exactly as the focal length's share does; what a large fault adds is how
  /// far lengths within the sensor's depth deviate from that: 5 % of the fault.
  private static func curvature(_ share: Double) -> Double { 0.05 * abs(share) }
}
