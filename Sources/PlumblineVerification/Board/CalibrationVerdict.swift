/// Whether a device's own calibration describes its images.
public enum CalibrationVerdict: String, Sendable, CaseIterable {
  /// Within the tolerance.
  case fits
  /// Certainly outside the tolerance.
  case doesNotFit
  /// The frames do not decide it.
  case cannotTell
}
