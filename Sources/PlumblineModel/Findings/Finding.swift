/// One problem or note about a capture: its effect and what was done about it.
public struct Finding: Hashable, Sendable {
  /// The severity of a finding: how far it prevents a measurement.
  public enum Severity: String, Sendable, CaseIterable {
    /// Worth knowing; changes no number.
    case note
    /// Numbers are usable, less exactly.
    case caution
    /// Numbers are not usable as meters until it is corrected.
    case fault
  }

  /// Whether a correction exists.
  public enum Correction: String, Sendable, CaseIterable {
    /// The outputs already contain it.
    case applied
    /// The user can request it.
    case available
    /// There is none.
    case none
  }

  /// What a finding costs, one standard deviation or a bias; `nil` where unknown.
  public struct Effect: Hashable, Sendable {
    /// Millimeters along the optical axis, at the median depth.
    public var zMillimeters: Double?
    /// Percent of a length across the image.
    public var lengthPercent: Double?

    /// Creates an effect; `nil` means that it is not known.
    public init(zMillimeters: Double? = nil, lengthPercent: Double? = nil) {
      self.zMillimeters = zMillimeters
      self.lengthPercent = lengthPercent
    }
  }

  /// The stable code, documented in `Documentation/findings.md`.
  public var code: FindingCode
  /// The severity: how far the finding prevents a measurement.
  public var severity: Severity
  /// One sentence with the numbers of this capture.
  public var message: String
  /// The effect on measurements.
  public var effect: Effect
  /// Where in the capture the evidence lies, such as a metadata key and its value.
  public var evidence: String
  /// The correction that was made, if any.
  public var correction: Correction

  /// Creates a finding from its parts.
  public init(
    _ code: FindingCode, _ severity: Severity, _ message: String, effect: Effect = Effect(),
    evidence: String = "", correction: Correction = .none
  ) {
    self.code = code
    self.severity = severity
    self.message = message
    self.effect = effect
    self.evidence = evidence
    self.correction = correction
  }
}
