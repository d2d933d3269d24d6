import PlumblineImages
import PlumblineModel
import PlumblineReconstruction
import PlumblineRecordings

extension ScanBuilder {
  /// The recording with the poses that frames are registered from, and what is said of those that are not used.
  ///
  /// Poses that are all the same are those of an app that does not track: three frames tell.
  func usingPoses(of recording: Recording, indices: [Int]) -> (Recording, findings: [Finding]) {
    let isStill = settings.ignoresRecordedPoses ? false : hasStillPoses(recording, indices)
    guard settings.ignoresRecordedPoses || isStill else { return (recording, []) }
    let posed = recording.posed(
      by: [RigidTransform?](repeating: nil, count: recording.frames.count), worldAxes: .unknown,
      basis: isStill ? "the recorded ones are all the same" : "left out as requested")
    let finding = Finding(
      .sequencePosesStill, .note,
      "the recorded poses are all the same and are not used; frames are registered by their depths alone",
      evidence: "the first, a middle and the last frame")
    return (posed, isStill ? [finding] : [])
  }

  /// The rotations of the device by its motion sensors, where frames have no recorded poses to be registered from.
  ///
  /// Motion that cannot be read does not end a scan: its frames are registered without it, and a finding says so.
  func sensedRotations(
    of recording: Recording, indices: [Int]
  ) -> (SensedRotations, findings: [Finding]) {
    let none = SensedRotations([])
    guard settings.refinesPoses, let first = indices.first,
      (try? recording.capture(at: first, color: .none))?.worldFromCamera == nil
    else { return (none, []) }
    do {
      let motion = try recording.motion()
      return (SensedRotations(motion.samples), motion.findings)
    } catch {
      let finding = Finding(
        .sequenceMotionDamaged, .caution,
        "the motion samples cannot be read; frames are registered without them",
        evidence: "\(error)")
      return (none, [finding])
    }
  }

  private func hasStillPoses(_ recording: Recording, _ indices: [Int]) -> Bool {
    guard settings.refinesPoses, indices.count > 2 else { return false }
    let poses = [0, indices.count / 2, indices.count - 1].map {
      (try? recording.capture(at: indices[$0], color: .none))?.worldFromCamera
    }
    return poses[0] != nil && poses.allSatisfy { $0 == poses[0] }
  }

  /// The findings of some frames, evenly chosen; frames that cannot be read are counted elsewhere.
  func checkedFrames(of recording: Recording, indices: [Int]) -> [MergedFinding.Frame] {
    let count = min(Self.checkedCount, indices.count)
    let analyzer = CaptureAnalyzer(color: .none, threads: settings.threads)
    return (0..<count).compactMap { number in
      let index = indices[number * indices.count / count]
      let frame = analyzer.frame(named: recording.frames[index].name) {
        try recording.capture(at: index, color: .none)
      }
      guard frame.isReadable else { return nil }
      return MergedFinding.Frame(
        name: frame.name, depthSize: frame.depthSize, findings: frame.findings.map(Self.settled))
    }
  }

  /// A finding as it is of a scan, which leaves pixels that hang between surfaces, or that the sensor does not
  /// trust, out, and undoes distortion.
  private static func settled(_ finding: Finding) -> Finding {
    let codes: [FindingCode] = [
      .depthFlyingPixels, .depthLowConfidence, .calibrationDistorted,
    ]
    guard codes.contains(finding.code) else { return finding }
    var settled = finding
    settled.severity = .note
    settled.correction = .applied
    settled.remedies = []
    return settled
  }

  /// What a sensor does is in every frame; so many tell it.
  private static let checkedCount = 8
}
