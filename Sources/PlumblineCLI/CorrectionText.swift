import Plumbline

/// What was corrected, as a person reads it: each step with its numbers before and after.
struct CorrectionText {
  let run: CaptureCorrectionRun
  /// The pair that the focal length was taken from, whose other laws are worth a look.
  var pair: FocalFromPair?

  /// The steps, what undoes each, and the verdict before and after.
  var text: String {
    var lines = [printable(text: run.before.fileName)]
    if run.applications.isEmpty { lines.append("  nothing to correct") }
    for (index, applied) in run.applications.enumerated() {
      lines.append("  \(index + 1). \(applied.step.name): \(printable(text: applied.step.detail))")
      lines.append("       before  \(Self.words(applied.effect.before, isSigma: false))")
      lines.append("       after   \(Self.words(applied.effect.after, isSigma: true))")
      lines.append("       undone by \(applied.undoing)")
    }
    if let pair, let width = run.before.capture.depth?.calibration?.intrinsics.size.width {
      lines.append("  focal lengths that the pair gives at \(width) columns")
      for law in pair.laws(atWidth: Double(width)) {
        lines.append(
          "       \(law.estimate.pixels.fixed(2)) ± \(law.estimate.sigmaPixels.fixed(2)) px  \(law.name)"
        )
      }
    }
    if let map = run.depthMap {
      lines.append(
        "  pixels       \(map.lostCount) of \(map.sourceSize.pixelCount) stored ones show no more")
    }
    lines.append("  before       \(run.before.assessment.reason)")
    lines.append("  after        \(run.after.assessment.reason)")
    return lines.joined(separator: "\n")
  }

  private static func words(_ deviation: CorrectionEffect.Deviation, isSigma: Bool) -> String {
    let sign = isSigma ? "± " : ""
    let parts = [
      deviation.lengthPercent.map { "lengths \(sign)\($0.fixed(3)) %" },
      deviation.zMillimeters.map {
        isSigma
          ? "distance of known things ± \($0.fixed(2)) mm at the median depth"
          : "sensor minus camera \($0.fixed(2)) mm at the median depth"
      },
      deviation.pixels.map { "\(isSigma ? "up to " : "")\($0.fixed(2)) px" },
    ].compactMap(\.self)
    return parts.isEmpty ? "not known" : parts.joined(separator: ", ")
  }
}
