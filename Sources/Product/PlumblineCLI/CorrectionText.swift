import Plumbline

/// What was corrected, as a person reads it: each step with its numbers before and after.
struct CorrectionText {
  let result: CorrectionResult
  /// The pair that the focal length was taken from, whose other laws are worth a look.
  var pair: FocalFromPair?

  /// The names of the steps with what they gain.
  var summary: String {
    Self.summary(
      result.applications.map { ($0.step, $0.effect) }, of: result.before.fileName)
  }

  /// The names of the steps of a capture with what they gain.
  static func summary(
    _ steps: [(step: ProvenanceStep, effect: CorrectionEffect)], of name: String
  ) -> String {
    var lines = [printable(text: name)]
    if steps.isEmpty { lines.append("  nothing to correct") }
    for (step, effect) in steps {
      lines.append("  \(step.name)")
      lines.append("    before     \(words(effect.before, isSigma: false))")
      lines.append("    after      \(words(effect.after, isSigma: true))")
    }
    return lines.flatMap(rows).joined(separator: "\n")
  }

  /// The steps, what undoes each, and the verdict before and after.
  var text: String {
    var lines = [printable(text: result.before.fileName)]
    if result.applications.isEmpty { lines.append("  nothing to correct") }
    for (index, applied) in result.applications.enumerated() {
      lines.append("  \(index + 1). \(applied.step.name): \(printable(text: applied.step.detail))")
      lines.append("       before  \(Self.words(applied.effect.before, isSigma: false))")
      lines.append("       after   \(Self.words(applied.effect.after, isSigma: true))")
      lines.append("       undone by \(applied.undoing)")
    }
    if let pair, let width = result.before.capture.depth?.calibration?.intrinsics.size.width {
      lines.append("  focal lengths that the pair gives at \(width) columns")
      for law in pair.laws(atWidth: Double(width)) {
        lines.append(
          "       \(law.estimate.pixels.fixed(2)) ± \(law.estimate.sigmaPixels.fixed(2)) px  \(law.name)"
        )
      }
    }
    if let map = result.depthMap {
      lines.append(
        "  pixels       \(map.lostCount) of \(map.sourceSize.pixelCount) stored ones show no more")
    }
    lines.append("  before       \(result.before.assessment.reason)")
    lines.append("  after        \(result.after.assessment.reason)")
    return lines.flatMap(Self.rows).joined(separator: "\n")
  }

  /// A line in rows of 80 columns; those after the first begin below its text.
  private static func rows(_ line: String) -> [String] {
    guard line.count > 80 else { return [line] }
    let start = line.prefix { $0 == " " }.count
    let label = ["before", "after", "pixels"].first { line.dropFirst(start).hasPrefix($0 + "  ") }
    let indent = label == nil ? 7 : start + 8 + (start == 2 ? 5 : start == 4 ? 3 : 0)
    let head = label == nil ? start : indent
    return CalibrationText.wrapped(String(line.dropFirst(head)), width: 80 - indent).enumerated()
      .map { index, row in
        (index == 0 ? String(line.prefix(head)) : String(repeating: " ", count: indent)) + row
      }
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
