import Plumbline

/// An assessment as a person reads it in a terminal.
struct VerdictText: PaintedText {
  let check: CaptureAnalysis
  /// What the capture has to be good for.
  var needs: [Tolerance] = []
  let usesColor: Bool
  /// The width of the terminal; `nil` without one.
  var columns: Int?

  /// The verdict, the numbers with their ±, and the findings.
  var text: String {
    let reason = wrapped(check.assessment.reason, indent: 2, columns: columns)
    var lines = [headline, "  " + reason]
    let answers = needs.map { $0.answer(for: check.assessment.accuracy) }
    lines += answers.line.map { ["  " + wrapped($0, indent: 2, columns: columns)] } ?? []
    lines.append("")
    lines += facts.map { fact($0, columns: columns) }
    if !check.assessment.findings.isEmpty { lines.append("") }
    for finding in check.assessment.findings {
      let message = wrapped("\(finding.message)\(effect(finding))", indent: 10, columns: columns)
      lines.append("  \(mark(finding.severity)) \(message)")
      let source = wrapped(
        "\(finding.code.rawValue) · \(finding.evidence)", indent: 4, columns: columns)
      lines.append("    \(dim(source))")
      lines += finding.remedies.map { "    → \($0.command)" }
    }
    return lines.joined(separator: "\n")
  }

  private var headline: String {
    let headline = check.headline
    return "\(painted(headline.text, "1;" + headline.color))  \(printable(text: check.fileName))"
  }

  private var facts: [(String, String)] {
    var facts: [(String, String)] = []
    let source = check.capture.source
    let device = [source.model ?? source.make, source.lensModel].compactMap(\.self)
    if !device.isEmpty { facts.append(("device", device.joined(separator: ", "))) }
    guard let record = check.capture.depth else { return facts }
    let unit = check.corrected?.isMetric == true ? "m" : "relative"
    facts.append(
      (
        "depth map",
        "\(record.size), stored as \(record.storedType)"
          + (record.nativeType.map { " from \($0)" } ?? "") + ", \(record.accuracy.rawValue)"
      ))
    if !check.statements.isEmpty {
      facts.append(("stated", check.statements.joined(separator: "; ")))
    }
    if let statistics = check.assessment.statistics, let least = statistics.minimumMeters,
      let median = statistics.medianMeters, let most = statistics.maximumMeters
    {
      facts.append(
        (
          "range",
          "\(least.fixed(3)) … \(median.fixed(3)) … \(most.fixed(3)) \(unit) "
            + "(nearest, median, farthest), \((statistics.validFraction * 100).fixed(1)) % measured"
        ))
      if let sigma = sigma(atMedian: median) { facts.append(("± at median", sigma)) }
    }
    for distance in check.distances {
      let stored = distance.storedDepth.map { "stored as \($0.fixed(3))" } ?? "nothing stored there"
      facts.append(
        ("known", "\(distance.meters.fixed(3)) m at \(distance.pixel.text), \(stored)"))
    }
    if let camera = check.corrected?.calibration?.intrinsics {
      facts.append(
        (
          "camera",
          "f = \(camera.focalLength.x.fixed(2)) px, center (\(camera.principalPoint.x.fixed(2)), "
            + "\(camera.principalPoint.y.fixed(2))) px of \(camera.size)"
        ))
    }
    return facts
  }

  private func sigma(atMedian median: Double) -> String? {
    guard check.corrected?.isMetric == true, let uncertainty = check.assessment.uncertainty else {
      return nil
    }
    func millimeters(_ curve: SigmaCurve) -> String {
      (curve.sigmaMeters(atDepth: median) * 1000).fixed(1)
    }
    let parts = [
      "steps \(millimeters(uncertainty.quantization))",
      uncertainty.sensor.map { "sensor \(millimeters($0))" },
      "calibration \(millimeters(uncertainty.calibration))",
    ]
    let lengths =
      uncertainty.lengthPercent.map { "; lengths ± \($0.fixed($0 < 0.095 ? 3 : 1)) %" } ?? ""
    return
      "\(millimeters(uncertainty.total)) mm (\(parts.compactMap(\.self).joined(separator: ", ")))"
      + lengths
  }

  /// The effect of the finding, and whether the printed numbers are already corrected for it.
  private func effect(_ finding: Finding) -> String {
    var parts: [String] = []
    if let millimeters = finding.effect.zMillimeters { parts.append("\(millimeters.fixed(2)) mm") }
    if let percent = finding.effect.lengthPercent { parts.append("\(percent.fixed(2)) %") }
    if finding.correction == .applied { parts.append("corrected") }
    return parts.isEmpty ? "" : " [\(parts.joined(separator: ", "))]"
  }
}
