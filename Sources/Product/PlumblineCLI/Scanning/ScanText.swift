import Plumbline

/// A scan as a person reads it.
struct ScanText: PaintedText {
  let scan: Scan
  /// The files that were written.
  let outputs: [String]
  let usesColor: Bool
  /// The width of the terminal; `nil` without one.
  var columns: Int?

  /// The surfaces, the numbers of tracking, what speaks against them and what helps; notes are left to documents.
  var text: String {
    let findings = scan.findings.filter { $0.finding.severity != .note }
    let found = findings.flatMap {
      lines(of: $0, frameCount: scan.examinedCount, columns: columns)
        + $0.finding.remedies.map { "    → \($0.command)" }
    }
    return (facts + (found.isEmpty ? [] : [""]) + found).joined(separator: "\n")
  }

  private var facts: [String] {
    var lines = scan.fragments.enumerated().map { index, fragment in
      Self.line(of: fragment, in: scan, number: index + 1)
    }
    lines += scan.fragments.flatMap { $0.changes.sentences.map { "  \($0)" } }
    lines += outputs.map { "  \(printable(text: $0))" }
    lines.append("")
    lines.append(Self.row("frames", Self.frames(of: scan)))
    let tracking = scan.tracking
    if let median = tracking.medianResidualMeters {
      var text = "\(Self.millimeters(median)) in the middle frame"
      if let sigmas = tracking.medianSigmas { text += " (\(sigmas.fixed(1)) σ)" }
      if let worst = tracking.worst {
        text += ", \(Self.millimeters(worst.meters)) in the worst, \(printable(text: worst.frame))"
      }
      lines.append(Self.row("residual", text))
    }
    var path = "\(tracking.pathMeters.fixed(2)) m"
    if let ratio = tracking.pathRatio { path += ", \(ratio.fixed(3)) of the recorded one" }
    if let shift = tracking.endShiftMeters {
      path += "; its end moved by \(Self.millimeters(shift))"
    }
    lines.append(Self.row("path", path))
    if let sensors = scan.motionSensors {
      let degrees = sensors.sigmaRadians * 180 / .pi
      lines.append(
        Self.row(
          "sensors",
          "gave the expected rotation of \(sensors.frameCount.counting("frame")), "
            + "± \(degrees.fixed(2))° each"))
    }
    if let closure = scan.closure { lines.append(Self.row("loops", Self.loops(closure))) }
    lines.append(
      Self.row(
        "voxels",
        "\((1000 * scan.voxelMeters).fixed(1)) mm: \(scan.voxelReason); \(scan.volumeBytes >> 20) MiB"
          + (scan.foreseenBytes.map { ", \($0 >> 20) foreseen" } ?? "")))
    let known = scan.scale.map { "; by \(printable(text: $0.basis)) they are off by \($0.text)" }
    lines.append(
      Self.row("scale", "all lengths share ± \((100 * scan.scaleSigma).fixed(1)) %\(known ?? "")"))
    return lines
  }

  private static func line(of fragment: Scan.Fragment, in scan: Scan, number: Int) -> String {
    let sigma = scan.medianSigmaMeters(of: fragment).map { "± \(millimeters($0))" } ?? "± unknown"
    let which = scan.fragments.count > 1 ? "surface \(number): " : ""
    return which
      + "\(fragment.mesh.triangles.count.counting("triangle")), \(sigma) along the normal in the middle, of "
      + fragment.frameCount.counting("frame")
  }

  private static func frames(of scan: Scan) -> String {
    let tracking = scan.tracking
    var parts = ["\(scan.fusedCount) of \(scan.frameCount) fused"]
    if tracking.followedCount > 0 {
      parts.append("\(tracking.followedCount) by their recorded motion alone")
    }
    if tracking.relocalizedCount > 0 {
      parts.append("found again \(tracking.relocalizedCount) times")
    }
    if tracking.lostCount > 0 { parts.append("\(tracking.lostCount) lost") }
    if scan.fragments.count > 1 {
      parts.append("\(scan.fragments.count) surfaces, whose places to each other are not known")
    }
    if scan.wasStopped { parts.append("stopped before the end") }
    return parts.joined(separator: ", ")
  }

  private static func loops(_ closure: Scan.Closure) -> String {
    guard let path = closure.pathMeters, let corrected = closure.correctedMeters else {
      return closure.rejectedCount == 0
        ? "none: no place was seen again"
        : "none: \(closure.rejectedCount) that contradict the path are rejected"
    }
    var text = "\(closure.loopCount) closed"
    if closure.rejectedCount > 0 { text += ", \(closure.rejectedCount) rejected" }
    text += "; after \(path.fixed(2)) m the path was off by "
    let before = closure.trackedMeters.map { ($0, "as tracked") }
    let recorded = closure.recordedMeters.map { ($0, "as recorded") }
    text += [recorded, before, (corrected, "now")].compactMap { part in
      part.map { meters, when in
        "\(millimeters(meters)) (\((100 * meters / max(path, 1e-9)).fixed(2)) %) \(when)"
      }
    }.joined(separator: ", ")
    if let sigma = closure.sigmaMeters { text += ", each ± \(millimeters(sigma))" }
    if closure.joinedCount > 0 {
      text += "; \(closure.joinedCount.counting("surface")) joined to another one"
    }
    return text
  }

  private static func row(_ name: String, _ text: String) -> String {
    "  " + name + String(repeating: " ", count: max(1, 11 - name.count)) + text
  }

  private static func millimeters(_ meters: Double) -> String {
    "\((1000 * meters).fixed(meters < 0.01 ? 2 : 0)) mm"
  }
}
