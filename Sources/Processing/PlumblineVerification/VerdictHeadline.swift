import PlumblineModel

/// The first words of an assessment, which the command, the report and the viewer show.
///
/// They differ from those of the verdict alone for an estimate, whose pixels were not measured one by
/// one even when it was brought to scale, for a geometry given without a ±, since the meters are only as
/// good as that, for meters that are the user's own word or rough ones, and where lengths are known to more than
/// ``MeasurementLimit/plainLengthPercent`` only.
public struct VerdictHeadline: Sendable, Hashable {
  /// The words as a sentence begins, such as `Measurable, lengths to ± 6.5 %`.
  public let words: String
  /// The verdict whose color and sign the words have: `relative` where meters were not measured.
  public let tone: Verdict

  /// The words in capitals, for a terminal.
  public var text: String { words.uppercased() }

  /// The headline of a verdict.
  ///
  /// - Parameters:
  ///   - verdict: The verdict.
  ///   - isEstimate: Whether a network estimated the depths.
  ///   - isGeometryAssumed: Whether the meters rest on a geometry that was given without a ±.
  ///   - isStated: Whether depths are meters because the user said so.
  ///   - isDepthUncertain: Whether the ± of two images' depths makes its meters rough ones.
  ///   - limits: What a measurable capture is not good for.
  /// - Source: `Documentation/decisions/0041-lengths-are-part-of-the-headline.md`.
  package init(
    _ verdict: Verdict, isEstimate: Bool, isGeometryAssumed: Bool, isStated: Bool,
    isDepthUncertain: Bool = false, limits: [MeasurementLimit]
  ) {
    let word: String
    (word, tone) =
      switch verdict {
      case _ where isEstimate && verdict.isMeasurable: ("Estimate, not measured", .relative)
      case _ where isGeometryAssumed && verdict.isMeasurable:
        ("Meters as told, not measured", .relative)
      case _ where isStated && verdict.isMeasurable: ("Measurable, as you said", .relative)
      case _ where isDepthUncertain && verdict.isMeasurable: ("Rough meters", .relative)
      case .measurable: ("Measurable", .measurable)
      case .corrected: ("Measurable after correction", .corrected)
      case .relative: ("Relative only", .relative)
      case .untrusted: ("Do not measure", .untrusted)
      }
    let percent = limits.first { $0.quantity == .length }?.lengthPercent
    words = word + (percent.map { ", lengths to ± \($0.fixed(1)) %" } ?? "")
  }
}
