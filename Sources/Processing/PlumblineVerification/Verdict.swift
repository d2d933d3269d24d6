/// Whether a capture can be measured in meters.
public enum Verdict: String, Sendable, CaseIterable {
  /// Measurable as it is.
  case measurable
  /// After corrections, which the outputs contain.
  case corrected
  /// Only in an unknown unit.
  case relative
  /// Not at all, since its depths or its calibration cannot be trusted or do not exist.
  case untrusted

  /// Whether meters follow from the capture.
  public var isMeasurable: Bool { self == .measurable || self == .corrected }
}
