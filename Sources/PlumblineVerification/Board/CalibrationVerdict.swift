/// Whether a device's own calibration describes its images.
public enum CalibrationVerdict: String, Sendable, CaseIterable {
  /// Within the tolerance.
  case fits
  /// Outside the tolerance, beyond doubt.
  case doesNotFit
  /// The frames do not decide it.
  case cannotTell
}

/// A difference with its ±, and what it says about a tolerance.
struct ToleranceTest: Hashable, Sendable {
  /// What counts as fitting, as a share: 1 %, what the paper calls well calibrated and what the
  /// sensor's own scale, uncertain by 0.6 %, can confirm.
  ///
  /// - Source: S. Urban et al., On the Issues of TrueDepth Sensor Data, 2022, table 2.
  static let tolerance = 0.01

  /// The difference as a share.
  var share: Double
  /// One standard deviation of it.
  var sigmaShare: Double

  /// Fits when the whole interval of ± 2 σ lies within the tolerance, an equivalence test at 2.5 %
  /// on each side; does not fit beyond the tolerance and beyond 3 σ; else it cannot tell.
  ///
  /// - Source: D. J. Schuirmann, A comparison of the two one-sided tests procedure, 1987.
  var verdict: CalibrationVerdict {
    guard share.isFinite, sigmaShare.isFinite else { return .cannotTell }
    if abs(share) > max(3 * sigmaShare, Self.tolerance) { return .doesNotFit }
    return abs(share) + 2 * sigmaShare <= Self.tolerance ? .fits : .cannotTell
  }
}
