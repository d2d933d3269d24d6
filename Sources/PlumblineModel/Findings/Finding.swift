/// One doubt about a capture, with what it costs and what was done about it.
public struct Finding: Hashable, Sendable {
  /// How far a finding stands between the user and a measurement.
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
    /// The user can ask for it.
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
  /// How far it stands between the user and a measurement.
  public var severity: Severity
  /// One sentence with the numbers of this capture.
  public var message: String
  /// What it costs.
  public var effect: Effect
  /// Where in the capture the evidence lies, such as a metadata key and its value.
  public var evidence: String
  /// What was done about it.
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
