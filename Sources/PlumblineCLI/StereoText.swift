import Plumbline

/// Depth from two images as a person reads it.
struct StereoText {
  let run: StereoRun

  /// The verdict, the numbers with their ±, and the findings.
  var text: String {
    let check = run.check
    let headline = check.assessment.verdict.headline(
      isEstimate: false, isGeometryAssumed: check.assessment.isGeometryAssumed)
    var lines = [
      "\(headline.word)  \(printable(text: run.fileName))",
      "  " + check.assessment.reason, "",
    ]
    lines += facts.map { name, value in
      "  " + name + String(repeating: " ", count: max(1, 13 - name.count)) + value
    }
    if !check.assessment.findings.isEmpty { lines.append("") }
    for finding in check.assessment.findings {
      lines.append("  \(finding.severity.rawValue): \(finding.message)")
      lines.append("    \(finding.code.rawValue) · \(finding.evidence)")
    }
    return lines.joined(separator: "\n")
  }

  private var facts: [(String, String)] {
    let calibration = run.geometry.calibration
    let known = calibration.uncertainty
    let isMetric = calibration.isMetric
    let unit = isMetric ? "m" : "baselines"
    var facts: [(String, String)] = []
    let words: [StereoGeometry.Basis: String] = [
      .calibration: "the calibration that was given", .file: "what the file says",
      .rectified: "rectified already, as told", .estimated: "estimated from the images",
    ]
    facts.append(("geometry", words[run.geometry.basis] ?? ""))
    if isMetric {
      let baseline = (calibration.baselineMeters * 1000).fixed(2)
      let words =
        known?.baselineMeters.map { "\(baseline) ± \(($0 * 1000).fixed(3)) mm" }
        ?? "\(baseline) mm, ± not known"
      facts.append(("baseline", words))
    } else {
      facts.append(("baseline", "not in meters; depths count it"))
    }
    let share = known?.focalLengthShare
    let focal = calibration.left.intrinsics.focalLength.x
    facts.append(
      (
        "focal length",
        "\(focal.fixed(2))\(share.map { " ± \(($0 * focal).fixed(2))" } ?? "") px of "
          + "\(calibration.left.intrinsics.size), from: \(run.geometry.focalBasis)"
      ))
    if let pose = run.geometry.pose {
      let turn = pose.rotationSigmaRadians * 180 / .pi
      facts.append(
        (
          "pose",
          "\(pose.matches.count) points agree, \(pose.disagreeingCount) do not, "
            + "\(pose.rmsPixels.fixed(2)) px rms; turn ± \(max(turn.x, turn.y, turn.z).fixed(3))°, "
            + "direction ± \((pose.directionSigmaRadians * 180 / .pi).fixed(2))°"
        ))
    }
    let reduced = run.reduction > 1.001 ? ", reduced by \(run.reduction.fixed(2))" : ""
    facts.append(
      (
        "rectified",
        "\(run.rectification.size), f = \(run.rectification.focalLengthPixels.fixed(2)) px\(reduced)"
      ))
    if run.survey.verticalResidualPixels.isFinite {
      facts.append(
        (
          "rows",
          "\(run.survey.agreeingCount) of \(run.survey.matchCount) points on one row, off "
            + "by \(run.survey.verticalResidualPixels.fixed(2)) px (median)"
        ))
    }
    facts.append(
      (
        "disparities",
        "\(run.disparities.lowerBound) to \(run.disparities.upperBound - 1) px "
          + (run.isRangeFound ? "(found from these points)" : "(as told or guessed)")
      ))
    facts.append(
      (
        "matched",
        "\((run.density * 100).fixed(1)) % of the pixels"
          + (run.medianSigmaPixels.map { ", ± \($0.fixed(2)) px (median)" } ?? "")
      ))
    if let median = run.medianDepth, let statistics = run.check.assessment.statistics,
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
}
