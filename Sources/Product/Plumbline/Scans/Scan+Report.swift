import PlumblineExport
import PlumblineGeometry
public import PlumblineIO
import PlumblineModel
import PlumblineReconstruction

extension Scan {
  /// The report: one page of HTML that needs nothing else.
  ///
  /// - Parameters:
  ///   - title: The recording's name.
  ///   - document: The document of the scan, which the page carries.
  /// - Returns: UTF-8 bytes; the same for the same scan. Cost: O(*n*).
  public func report(title: String, document: JSONValue) -> [UInt8] {
    let findings = findings.map(\.finding)
    var page = FigurePage(
      title: title, badge: badge(findings), tone: tone(findings), reason: reason.boundUnits,
      source: source, numbers: numbers, figures: figures,
      documentJSON: JSONWriter(layout: .compact).text(document))
    page.findings = findings
    return page.html()
  }

  private var isWhole: Bool { fragments.count == 1 && fusedCount == frameCount }

  private func badge(_ findings: [Finding]) -> String {
    if fragments.count > 1 { return "\(fragments.count) surfaces" }
    if !isWhole { return "One surface, frames left out" }
    return findings.contains { $0.severity != .note } ? "One surface, with findings" : "One surface"
  }

  private func tone(_ findings: [Finding]) -> FigurePage.Tone {
    if fragments.count > 1 || 2 * fusedCount < frameCount { return .bad }
    return isWhole && !findings.contains { $0.severity != .note } ? .good : .mended
  }

  private var reason: String {
    let largest = fragments[0]
    let sigma =
      medianSigmaMeters(of: largest).map {
        "± \(Self.millimeters($0)) along the normal in the middle"
      } ?? "± unknown"
    return "\(fusedCount) of \(frameCount.counting("frame")) make "
      + "\(largest.mesh.triangles.count.counting("triangle")), \(sigma)."
  }

  private var source: String {
    "Noise of pixels: \(noiseBasis). Besides the ± of vertices all lengths share "
      + "± \((100 * scaleSigma).fixed(1)) %. ".boundUnits + "Frame: \(frame.statement)."
  }

  private var numbers: [FigurePage.Number] {
    let tracking = tracking
    let topology = fragments[0].mesh.topology
    let area = fragments[0].mesh.surfaceArea
    return [
      .init(
        name: "Frames", value: "\(fusedCount) of \(frameCount)",
        note: "\(tracking.lostCount) lost, \(tracking.followedCount) by recorded motion alone"),
      .init(
        name: "Residual", value: tracking.medianResidualMeters.map(Self.millimeters),
        note: tracking.medianSigmas.map {
          "along the normal in the middle frame; \($0.fixed(2)) σ, 0.67 expected"
        } ?? "no frame was registered"),
      .init(
        name: "Path", value: "\(tracking.pathMeters.fixed(2))\u{A0}m",
        note: tracking.pathRatio.map { "\($0.fixed(3)) of the recorded one" }
          ?? "no poses were recorded"),
      .init(
        name: "End moved by", value: tracking.endShiftMeters.map(Self.millimeters),
        note: "against the recorded poses"),
      .init(
        name: "Off where it closes", value: closure?.correctedMeters.map(Self.millimeters),
        note: closureNote),
      .init(
        name: "Surface", value: "\(area.fixed(area < 1 ? 3 : 1))\u{A0}m²",
        note: "\(topology.componentCount.counting("part"))"),
      .init(
        name: "Open border", value: "\(topology.borderMeters.fixed(2))\u{A0}m",
        note: topology.isWatertight ? "closed" : "around holes and where nothing was seen"),
      .init(
        name: "Seen", value: viewText, note: "views a second or 10° apart, of the median vertex"),
      .init(
        name: "Voxels", value: Self.millimeters(voxelMeters), note: voxelReason.boundUnits),
      .init(
        name: "Scale", value: scale?.text.boundUnits,
        note: scale?.basis ?? "no known length in view"),
      .init(
        name: "Completed by the sensor",
        value: completedShare.map { "\((100 * $0).fixed(0))\u{A0}%" },
        note: "of the examined frames have surfaces flatter than measured"),
    ]
  }

  /// What the longest loop says of the drift.
  private var closureNote: String {
    guard let closure, let path = closure.pathMeters else { return "no place was seen again" }
    let before = closure.trackedMeters.map { "; \(Self.millimeters($0)) as tracked" } ?? ""
    return "after \(path.fixed(2))\u{A0}m\(before)"
  }

  /// The median number of views, and the share of vertices that one view alone saw.
  private var viewText: String? {
    let counts = fragments[0].viewCounts
    let total = counts.reduce(0, +)
    guard total > 0 else { return nil }
    var below = 0
    let median = counts.firstIndex { count in
      below += count
      return 2 * below >= total
    }
    let once = Double(counts.prefix(2).reduce(0, +)) / Double(total)
    return "\(median ?? 0)\u{A0}×, \((100 * once).fixed(0))\u{A0}% once"
  }

  /// The share of examined frames whose sensor drew surfaces between its measured points; `nil` without any.
  private var completedShare: Double? {
    guard !checkedFrames.isEmpty else { return nil }
    let completed = checkedFrames.count { frame in
      frame.findings.contains { $0.code == .depthCompletedSurface }
    }
    return Double(completed) / Double(checkedFrames.count)
  }

  static func millimeters(_ meters: Double) -> String {
    "\((1000 * meters).fixed(meters < 0.01 ? 2 : 0))\u{A0}mm"
  }
}
