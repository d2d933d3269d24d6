import Plumbline

/// Depth from two images as a person reads it.
struct StereoText {
  let result: StereoResult

  /// The verdict, the numbers with their ±, and the findings.
  var text: String {
    let assessment = result.analysis.assessment
    var lines = [
      "\(result.analysis.headline.text)  \(printable(text: result.fileName))",
      "  " + assessment.reason, "",
    ]
    lines += facts.map { name, value in
      "  " + name + String(repeating: " ", count: max(1, 13 - name.count)) + value
    }
    if !assessment.findings.isEmpty { lines.append("") }
    for finding in assessment.findings {
      lines.append("  \(finding.severity.rawValue): \(finding.message)")
      lines.append("    \(finding.code.rawValue) · \(finding.evidence)")
      lines += finding.remedies.map { "    → \($0.command)" }
    }
    return lines.joined(separator: "\n")
  }

  private var facts: [(String, String)] {
    let calibration = result.geometry.calibration
    let known = calibration.uncertainty
    let isMetric = calibration.isMetric
    let unit = isMetric ? "m" : "baselines"
    var facts: [(String, String)] = []
    let words: [StereoGeometry.Basis: String] = [
      .calibration: "the calibration that was given", .file: "what the file says",
      .rectified: "rectified already, as told", .estimated: "estimated from the images",
    ]
    facts.append(("geometry", words[result.geometry.basis] ?? ""))
    if isMetric {
      let baseline = (calibration.baselineMeters * 1000).fixed(2)
      let words =
        known?.baselineMeters.map { "\(baseline) ± \(($0 * 1000).fixed(3)) mm" }
        ?? "\(baseline) mm, ± not known"
      facts.append(("baseline", words))
    } else {
      // A scale alone makes no meters while all disparities are off by an unknown number.
      let told = result.geometry.toldBaselineMeters.map {
        "\(($0 * 1000).fixed(2)) mm as told, which gives no meters (see the caution); depths count it"
      }
      facts.append(("baseline", told ?? "not in meters; depths count it"))
    }
    let share = known?.focalLengthShare
    let focal = calibration.left.intrinsics.focalLength.x
    facts.append(
      (
        "focal length",
        "\(focal.fixed(2))\(share.map { " ± \(($0 * focal).fixed(2))" } ?? "") px"
          + "\(share == nil ? ", ± not known," : "") of "
          + "\(calibration.left.intrinsics.size), from: \(result.geometry.focalBasis)"
      ))
    if let pose = result.geometry.pose {
      let turn = pose.rotationSigmaRadians * 180 / .pi
      facts.append(
        (
          "pose",
          "\(pose.matches.count) points agree, \(pose.disagreeingCount) do not, "
            + "\(pose.rmsPixels.fixed(2)) px rms; turn ± \(max(turn.x, turn.y, turn.z).fixed(3))°, "
            + "direction ± \((pose.directionSigmaRadians * 180 / .pi).fixed(2))°"
        ))
    }
    let reduced = result.reduction > 1.001 ? ", reduced by \(result.reduction.fixed(2))" : ""
    facts.append(
      (
        "rectified",
        "\(result.rectification.size), f = \(result.rectification.focalLengthPixels.fixed(2)) px\(reduced)"
      ))
    if result.survey.verticalResidualPixels.isFinite {
      facts.append(
        (
          "rows",
          "\(result.survey.agreeingCount) of \(result.survey.matchCount) points on one row, off "
            + "by \(result.survey.verticalResidualPixels.fixed(2)) px (median)"
        ))
    }
    facts.append(
      (
        "disparities",
        "\(result.disparities.lowerBound) to \(result.disparities.upperBound - 1) px "
          + (result.isRangeFound ? "(found from these points)" : "(as told or guessed)")
      ))
    facts.append(
      (
        "matched",
        "\((result.density * 100).fixed(1)) % of the pixels"
          + (result.medianSigmaPixels.map { ", ± \($0.fixed(2)) px (median)" } ?? "")
      ))
    facts.append(("with depth", depthShare))
    if let median = result.medianDepth, let statistics = result.analysis.assessment.statistics,
      let least = statistics.minimumMeters, let most = statistics.maximumMeters
    {
      facts.append(
        (
          "depth",
          "\(least.fixed(3)) … \(median.depth.fixed(3)) ± \(median.sigma.fixed(4)) … "
            + "\(most.fixed(3)) \(unit) (nearest, median, farthest)"
        ))
    }
    return facts
  }

  /// How many pixels have a depth, and why others that were matched have none.
  private var depthShare: String {
    func percent(_ count: Int) -> String { "\((result.share(of: count) * 100).fixed(1)) %" }
    let missing = result.missing
    let reasons = [
      missing.beyondInfinity > 0
        ? "\(percent(missing.beyondInfinity)) were matched at infinity or beyond it" : nil,
      missing.uncertain > 0
        ? "\(percent(missing.uncertain)) have a ± as large as their depth" : nil,
    ].compactMap(\.self)
    return "\(percent(result.depthCount)) of the pixels"
      + (reasons.isEmpty ? "" : "; " + reasons.joined(separator: ", "))
  }
}
