import Plumbline

/// An assessment as a person reads it in a terminal.
struct VerdictText: PaintedText {
  let check: CaptureAnalysis
  let usesColor: Bool
  /// The width of the terminal; `nil` without one.
  var columns: Int?

  /// The verdict, the numbers with their ±, and the findings.
  var text: String {
    let reason = wrapped(check.assessment.reason, indent: 2, columns: columns)
    var lines = [headline, "  " + reason, ""]
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
    let (word, color) = check.assessment.verdict.headline(
      isEstimate: check.capture.estimate != nil,
      isGeometryAssumed: check.assessment.isGeometryAssumed)
    return "\(painted(word, "1;" + color))  \(printable(text: check.fileName))"
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

/// The assessment of a folder as a person reads it in a terminal.
struct SequenceText: PaintedText {
  let check: RecordingAnalysis
  let usesColor: Bool
  /// The width of the terminal; `nil` without one.
  var columns: Int?

  /// The verdict, the numbers in the middle of all frames, and the findings with their frames.
  var text: String {
    let chosen = check.frames[check.chosenIndex]
    let isEstimate = chosen.findings.contains {
      $0.code == .estimateFitted || $0.code == .estimateUnfitted
    }
    let (word, color) = check.verdict.headline(
      isEstimate: isEstimate,
      isGeometryAssumed: chosen.isGeometryAssumed)
    var lines = [
      "\(painted(word, "1;" + color))  "
        + "\(printable(text: check.folderName)) (\(check.frames.count.counting("frame")), \(check.layout))",
      "  "
        + wrapped(
          "Frame \(printable(text: chosen.name)): \(chosen.reason)", indent: 2, columns: columns),
      "",
    ]
    lines += facts.map { fact($0, columns: columns) }
    if !check.findings.isEmpty { lines.append("") }
    lines += check.findings.flatMap {
      self.lines(of: $0, frameCount: check.frames.count, columns: columns)
    }
    return lines.joined(separator: "\n")
  }

  private var facts: [(String, String)] {
    var facts = [("frames", counts)]
    let medians = check.frames.compactMap { $0.statistics?.medianMeters }
    if let least = medians.min(), let most = medians.max(),
      let middle = check.median({ $0.statistics?.medianMeters }),
      let valid = check.median({ $0.statistics?.validFraction })
    {
      facts.append(
        (
          "range",
          "\(least.fixed(3)) … \(middle.fixed(3)) … \(most.fixed(3)) (nearest, middle and farthest "
            + "of the frames' medians), \((valid * 100).fixed(1)) % measured"
        ))
    }
    if let sigma = check.median(\.sigmaMillimeters) {
      let lengths =
        check.median(\.lengthPercent).map { "; lengths ± \($0.fixed($0 < 0.095 ? 3 : 1)) %" } ?? ""
      facts.append(("± at median", "\(sigma.fixed(1)) mm in the middle frame\(lengths)"))
    }
    if let side = check.boardSquareMeters {
      facts.append(("board", "squares of \((side * 1000).fixed(3)) mm"))
    }
    if let poses = check.poses {
      facts += PoseText(poses: poses, frameCount: check.frames.count).facts
    }
    return facts
  }

  /// How many frames have which verdict; frames that differ from the overall one are named.
  private var counts: String {
    let words = Verdict.allCases.compactMap { verdict -> String? in
      let names = check.frames.filter { $0.verdict == verdict }.map(\.name)
      guard !names.isEmpty else { return nil }
      if verdict == check.verdict { return "\(names.count) \(verdict.rawValue)" }
      let first = names.prefix(5).map { printable(text: $0) }.joined(separator: ", ")
      return "\(names.count) \(verdict.rawValue) (\(first)\(names.count > 5 ? ", …" : ""))"
    }
    return words.joined(separator: ", ")
  }
}

extension Verdict {
  /// The words of an assessment's first line and their color.
  ///
  /// They differ for an estimate, whose pixels were not measured one by one even when it was brought to
  /// scale, and for a geometry given without a ±, since the meters are only as good as that.
  func headline(
    isEstimate: Bool, isGeometryAssumed: Bool
  ) -> (word: String, color: String) {
    switch self {
    case _ where isEstimate && isMeasurable: ("ESTIMATE, NOT MEASURED", "33")
    case _ where isGeometryAssumed && isMeasurable: ("METERS AS TOLD, NOT MEASURED", "33")
    case .measurable: ("MEASURABLE", "32")
    case .corrected: ("MEASURABLE AFTER CORRECTION", "32")
    case .relative: ("RELATIVE ONLY", "33")
    case .untrusted: ("DO NOT MEASURE", "31")
    }
  }
}
