import PlumblineIO
import PlumblineModel

/// What something of known length says of all lengths of a scan: how far they are off, and how surely.
public struct ScanScale: Sendable, Hashable {
  /// The lengths of the scan over the true ones, less 1: 0.01 where a meter is 1.01 m in it.
  public var share: Double
  /// One standard deviation of it.
  public var sigmaShare: Double
  /// What is known, and by how many frames, in words.
  public var basis: String

  /// The share in percent with its ±, such as `+0.4 ± 0.7 %`.
  public var text: String {
    "\((100 * share).signed(1)) ± \((100 * sigmaShare).fixed(1)) %"
  }

  /// Whether lengths are off by more than chance: more than two standard deviations.
  public var isDoubtful: Bool { abs(share) > 2 * sigmaShare }

  /// What it says as a finding.
  var finding: Finding {
    Finding(
      .scanScaleMeasured, isDoubtful ? .caution : .note,
      isDoubtful
        ? "all lengths are off by \(text): they are true where the surface is scaled by "
          + (1 / (1 + share)).fixed(4)
        : "all lengths fit what is known: they are off by \(text)",
      effect: Finding.Effect(lengthPercent: 100 * abs(share)), evidence: basis)
  }

  /// The part `scale` of the scan's document.
  var document: JSONValue {
    .object([
      ("share", .number(share)), ("sigmaShare", .number(sigmaShare)), ("basis", .string(basis)),
    ])
  }
}
