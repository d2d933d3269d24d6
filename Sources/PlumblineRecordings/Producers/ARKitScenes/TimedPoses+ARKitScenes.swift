import PlumblineImages
import PlumblineIO
import PlumblineModel

extension TimedPoses {
  /// Reads the poses of one video, `lowres_wide.traj`, where there is one; lines that are no pose
  /// become a finding.
  init(
    arkitScenes folder: any CaptureFolder, limits: ReadingLimits, findings: inout [Finding]
  ) throws(CaptureReadingError) {
    let file = "lowres_wide.traj"
    var poses: [(seconds: Double, worldFromCamera: RigidTransform)] = []
    var damaged: [Int] = []
    var backwards = 0
    if folder.fileNames.contains(file) {
      let bytes = try folder.bytes(of: file)
      var lines = TextLines(bytes[...])
      while let fields = lines.nextFields() {
        guard let n = TextLines.numbers(fields), n.count == 7,
          n.allSatisfy({ abs($0) <= 1e9 }), let rotation = Rotation(axisAngle: [n[1], n[2], n[3]])
        else {
          damaged.append(lines.number)
          continue
        }
        if let last = poses.last, n[0] < last.seconds { backwards += 1 }
        let cameraFromWorld = RigidTransform(rotation: rotation, translation: [n[4], n[5], n[6]])
        poses.append((n[0], cameraFromWorld.inverse))
        try limits.require(poses.count, atMost: limits.sequenceFrames, "poses", path: [file])
      }
    }
    if !damaged.isEmpty {
      findings.append(
        Finding(
          .fileDamagedMetadata, .caution, "\(damaged.count) lines of the trajectory are no pose",
          evidence: "\(file), line \(damaged[0])"))
    }
    if backwards > 0 {
      findings.append(
        Finding(
          .sequenceClockBackwards, .caution,
          "the clock of the trajectory goes backwards (\(backwards) ×); poses are found by time "
            + "all the same", evidence: file))
    }
    self.init(poses)
  }
}
