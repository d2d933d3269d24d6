import PlumblineIO
import PlumblineModel
import PlumblineStreams

extension ROSBagTopics {
  /// The findings about what was chosen and what is not used.
  func choiceFindings(
    depths: [Candidate], colors: [Candidate], motions allMotions: [ROSChannel],
    _ unreadable: [String]
  ) -> [Finding] {
    func words(_ channels: some Collection<ROSChannel>) -> String {
      channels.prefix(6).map { printable(text: $0.topic) }.joined(separator: ", ")
    }
    var used: [ROSChannel] = []
    for channel in [depth, depthCamera, color, colorCamera].compactMap(\.self) + motions
    where !used.contains(where: { $0.id == channel.id }) { used.append(channel) }
    var findings = [
      Finding(
        .sequenceChosenTopics, .note, "frames are made of the topics \(words(used))",
        evidence: "the first topic with depth; cameras by their topic's name, else by frame and "
          + "size; color by name")
    ]
    for (others, what) in [
      (depths.map(\.channel).dropFirst(), "depth"), (colors.map(\.channel).dropFirst(), "color"),
      (allMotions.filter { !motions.contains($0) }[...], "motion"),
    ] where !others.isEmpty {
      findings.append(
        Finding(
          .sequenceChosenTopics, what == "depth" ? .caution : .note,
          "\(others.count) other topics with \(what) are left aside: \(words(others))",
          evidence: "the first one is used"))
    }
    if !unreadable.isEmpty {
      let names = unreadable.prefix(6).map { printable(text: $0) }.joined(separator: ", ")
      findings.append(
        Finding(
          .sequenceChosenTopics, .note,
          "\(unreadable.count.counting("topic")) with images of other pixel types ignored: "
            + names, evidence: "encoding"))
    }
    if depthCamera == nil {
      findings.append(
        Finding(
          .calibrationMissing, .caution, "no camera info belongs to the depth images",
          evidence: printable(text: depth.topic)))
    }
    return findings
  }

  /// The finding about depth and color of two cameras, told by their frames.
  func misalignment(color other: Candidate?) -> [Finding] {
    guard let other, other.frame != depthFrame else { return [] }
    return [
      Finding(
        .depthMisaligned, .caution,
        "depth and color are images of two cameras (\(printable(text: depthFrame)), "
          + "\(printable(text: other.frame))): their pixels do not belong together",
        evidence: "frame_id")
    ]
  }

  /// The findings about a recording of RealSense's SDK, whose frames have no names.
  static func findings(
    _ facts: RealSenseFacts, depth: RealSenseStream, color: RealSenseStream?, _ chosen: Candidate
  ) -> [Finding] {
    var findings: [Finding] = []
    if RealSenseFacts.metersPerCode(chosen.depthUnits) == nil, facts.metersPerCode(at: 0) == nil {
      findings.append(
        Finding(
          .depthUnitAssumed, .caution,
          "the recording states no unit of the depth codes; "
            + "\(RealSenseFacts.usualMetersPerCode) m is used, from which some models differ",
          evidence: printable(text: depth.optionTopics("Depth Units")[1])))
    }
    if let color, !color.hasPixelsOfDepth {
      let apart = facts.baselineMeters.map { ", \(($0 * 1000).fixed(1)) mm apart" } ?? ""
      findings.append(
        Finding(
          .depthMisaligned, .caution,
          "depth and color are images of two cameras\(apart): their pixels do not belong together",
          evidence: "\(printable(text: depth.prefix)), \(printable(text: color.prefix))"))
    }
    return findings
  }
}
