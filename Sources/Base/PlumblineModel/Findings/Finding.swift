/// One problem or note about a capture, with its effect and the correction.
public struct Finding: Hashable, Sendable {
  /// The severity of a finding: how far it prevents a measurement.
  public enum Severity: String, Sendable, CaseIterable {
    /// Worth knowing; changes no number.
    case note
    /// The numbers are usable, with reduced accuracy.
    case caution
    /// The numbers are not usable as meters until the problem is corrected.
    case fault
  }

  /// Whether a correction exists.
  public enum Correction: String, Sendable, CaseIterable {
    /// The outputs already contain it.
    case applied
    /// The user can request the correction.
    case available
    /// There is none.
    case none
  }

  /// The error that a problem causes, as one standard deviation or a bias; `nil` if unknown.
  public struct Effect: Hashable, Sendable {
    /// Millimeters along the optical axis, at the median depth.
    public var zMillimeters: Double?
    /// Percent of a length across the image.
    public var lengthPercent: Double?

    /// Creates an effect; `nil` means that it is not known.
    package init(zMillimeters: Double? = nil, lengthPercent: Double? = nil) {
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
  /// What a user can do about it; empty if nothing helps or nothing needs to be done.
  public var remedies: [Remedy]

  /// Creates a finding from its parts.
  package init(
    _ code: FindingCode, _ severity: Severity, _ message: String, effect: Effect = Effect(),
    evidence: String = "", correction: Correction = .none, remedies: [Remedy] = []
  ) {
    self.code = code
    self.severity = severity
    self.message = message
    self.effect = effect
    self.evidence = evidence
    self.correction = correction
    self.remedies = remedies
  }
}

extension Double {
  /// Formats the number with a fixed count of decimals, rounded half away from zero, for messages.
  ///
  /// The format does not depend on a locale. Non-finite numbers give `nan` or `inf`; magnitudes
  /// from 1e15 give the shortest exact form, since they have no decimals left.
  /// - Precondition: 0 to 9 decimals.
  public func fixed(_ decimals: Int) -> String {
    precondition((0...9).contains(decimals), "\(decimals) decimals")
    guard isFinite, magnitude < 1e15 else { return description }
    var unit = 1
    for _ in 0..<decimals { unit *= 10 }
    let scaled = (magnitude * Double(unit)).rounded()
    // From 9e18 on, the scaled digits do not fit 64 bits.
    guard scaled < 9e18 else { return description }
    let digits = Int(scaled)
    let sign = self < 0 && digits > 0 ? "−" : ""
    guard decimals > 0 else { return sign + String(digits) }
    let fraction = String(digits % unit)
    let zeros = String(repeating: "0", count: decimals - fraction.count)
    return "\(sign)\(digits / unit).\(zeros)\(fraction)"
  }
}

extension Int {
  /// The number with its noun, in the plural unless the number is 1, for messages: `1 frame`,
  /// `0 frames`.
  public func counting(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
