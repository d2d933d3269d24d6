import PlumblineImages
import PlumblineIO
import PlumblineModel

/// Folders of color images and depth maps with a camera and a trajectory, as Redwood's data sets and
/// Open3D's programs keep them; see `Documentation/formats/open3d-redwood.md`.
enum Open3DLayout: RecordingLayout {
  static let name = "Open3D RGB-D folder"
  static let signs = "depth/*.png and color/, image/ or rgb/"

  static func recognizes(
    _ folder: any CaptureFolder, names: Set<String>, limits: ReadingLimits
  ) throws(CaptureReadingError) -> Bool {
    Open3DFolder(folder.fileNames) != nil
  }

  static func recording(
    from folder: any CaptureFolder, limits: ReadingLimits
  ) throws(CaptureReadingError) -> Recording {
    guard let files = Open3DFolder(folder.fileNames) else {
      throw CaptureReadingError(
        .missing, path: [name], expected: "depth/ and color/", found: "none")
    }
    var findings: [Finding] = []
    var frames = try files.frames(folder, limits: limits, findings: &findings)
    if let file = files.trajectoryFile {
      try addPoses(from: file, folder, limits, to: &frames, &findings)
    }
    var manner = PairedFrame.Manner()
    if let file = files.intrinsicFile {
      try addCamera(from: file, folder, limits, to: &manner, &findings)
    }
    if let rule = try SUNEncoding(folder, prefix: files.prefix, limits: limits) {
      if manner.camera == nil { manner.camera = rule.camera }
      return try Recording.paired(
        frames, layout: name, folder: folder, limits: limits, findings: findings, manner: manner,
        adjusting: { rule.encoding(of: $1, &$2) })
    }
    return try Recording.paired(
      frames, layout: name, folder: folder, limits: limits, findings: findings, manner: manner)
  }

  private static func addPoses(
    from name: String, _ folder: any CaptureFolder, _ limits: ReadingLimits,
    to frames: inout [PairedFrame], _ findings: inout [Finding]
  ) throws(CaptureReadingError) {
    do throws(CaptureReadingError) {
      let trajectory = try TrajectoryLog(folder.bytes(of: name), limits: limits, path: name)
      for index in frames.indices {
        frames[index].worldFromCamera = trajectory.poses[index]
      }
      let without = frames.filter { $0.worldFromCamera == nil }
      if !without.isEmpty {
        findings.append(
          Finding(
            .sequencePosesMissing, .note, "\(without.count) of \(frames.count) frames have no pose",
            evidence: name))
      }
    } catch {
      if error.refusesFile { throw error }
      findings.append(.damagedMetadata(name, error))
    }
  }

  private static func addCamera(
    from name: String, _ folder: any CaptureFolder, _ limits: ReadingLimits,
    to manner: inout PairedFrame.Manner, _ findings: inout [Finding]
  ) throws(CaptureReadingError) {
    do throws(CaptureReadingError) {
      let json = try RecordedJSON(parsing: folder.bytes(of: name)[...], limits: limits)
      manner.camera = Open3DFolder.camera(json)
      if manner.camera?.matrix == nil {
        findings.append(
          Finding(
            .calibrationDamaged, .caution, "no intrinsic_matrix of nine numbers",
            evidence: printable(text: name)))
      }
      // What Open3D's recorder of RealSense cameras writes: codes for a meter.
      if let scale = json["depth_scale"]?.number, (1...1e6).contains(scale) {
        manner.encoding = .codes(perMeter: scale)
      }
    } catch {
      if error.refusesFile { throw error.inside(name) }
      findings.append(.damagedMetadata(name, error))
    }
  }
}
