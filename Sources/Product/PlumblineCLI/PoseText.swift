import Plumbline

/// What the poses of a recording are worth, as lines of a terminal.
struct PoseText {
  let poses: PoseAssessment
  /// The number of frames of the recording.
  let frameCount: Int

  /// Names and values, one for each line.
  var facts: [(String, String)] {
    var facts = [("poses", path)]
    if let consistency = poses.consistency {
      if !consistency.gaps.isEmpty { facts.append(("overlap", overlap(consistency.gaps))) }
      facts.append(
        ("revisits", consistency.revisits.map(revisits) ?? "none after 5 s or more"))
    }
    if let scale = poses.scale {
      facts.append(
        (
          "path scale",
          "\(scale.ratio.fixed(3)) ± \(scale.sigma.fixed(3)) of that of the depths, "
            + "by \(scale.pairCount.counting("pair"))"
        ))
    }
    if let floor = poses.floor {
      facts.append(
        (
          "level",
          "the lowest level surface is \(floor.degrees.fixed(1)) ± \(floor.sigmaDegrees.fixed(1))° "
            + "off the world's up, in \(floor.frameCount.counting("frame"))"
        ))
    }
    return facts
  }

  private var path: String {
    let trajectory = poses.trajectory
    let jumps = trajectory.jumps.isEmpty ? "no jump" : trajectory.jumps.count.counting("jump")
    let gaps = poses.clock.gaps.isEmpty ? "no gap" : poses.clock.gaps.count.counting("gap")
    return "\(trajectory.poseCount) of \(frameCount.counting("frame")), a path of "
      + "\(trajectory.pathMeters.fixed(2)) m that ends \(poses.endMeters.fixed(2)) m from its "
      + "start, \(jumps), \(gaps)"
  }

  /// The medians of all gaps, with the pairs that they come from.
  private func overlap(_ gaps: [PoseConsistency.Gap]) -> String {
    let pairs = gaps.reduce(0) { $0 + $1.pairCount }
    return "frames disagree by " + gaps.map(difference).joined(separator: ", ")
      + "; medians of \(pairs.counting("pair"))"
  }

  private func revisits(_ gap: PoseConsistency.Gap) -> String {
    "\(difference(gap)) after \(gap.pathMeters.fixed(1)) m of path; median of "
      + gap.pairCount.counting("pair")
  }

  private func difference(_ gap: PoseConsistency.Gap) -> String {
    let apart = gap.seconds.map { "\($0.fixed(1)) s" } ?? "the next frame"
    let sigmas = gap.medianSigmas.map { ", \($0.fixed(1)) ±" } ?? ""
    let beyond =
      gap.beyondShare >= 0.0005 ? ", \((gap.beyondShare * 100).fixed(1)) % beyond 300" : ""
    return "\((gap.medianMeters * 1000).fixed(1)) mm at \(apart) "
      + "(95 % \((gap.percentile95Meters * 1000).fixed(0)) mm\(sigmas)\(beyond))"
  }
}
