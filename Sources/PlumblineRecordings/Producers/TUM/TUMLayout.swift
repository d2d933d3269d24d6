import PlumblineImages
import PlumblineIO
import PlumblineModel

/// Folders of the TUM RGB-D benchmark and its relatives; see `Documentation/formats/tum.md`.
enum TUMLayout: RecordingLayout {
  static let name = "TUM RGB-D"
  static let signs = "depth.txt or associations.txt with depth/ and rgb/"

  static func recognizes(
    _ folder: any CaptureFolder, names: Set<String>, limits: ReadingLimits
  ) throws(CaptureReadingError) -> Bool {
    TUMFolder(folder.fileNames) != nil
  }

  static func recording(
    from folder: any CaptureFolder, limits: ReadingLimits
  ) throws(CaptureReadingError) -> Recording {
    guard let files = TUMFolder(folder.fileNames) else {
      throw CaptureReadingError(.missing, path: [name], expected: "depth.txt", found: "none")
    }
    var findings: [Finding] = []
    var lists = try TUMLists(files, folder, limits: limits, findings: &findings)
    var frames = lists.frames(&findings)
    if let poses = lists.poses {
      for index in frames.indices {
        frames[index].worldFromCamera = frames[index].timestampSeconds.flatMap {
          poses.worldFromCamera(near: $0, within: TUMLists.maximumDifference)
        }
      }
      let without = frames.filter { $0.worldFromCamera == nil }.count
      if without > 0 {
        findings.append(
          Finding(
            .sequencePosesMissing, .note,
            "\(without) of \(frames.count) frames have no pose within 20 ms",
            evidence: files.groundTruth ?? ""))
      }
    }
    var manner = PairedFrame.Manner()
    manner.encoding = .codes(perMeter: 5000)
    try addCamera(files, folder, limits, lists.comments, to: &manner, &findings)
    var motion: Recording.MotionReader?
    if let file = files.accelerometer {
      motion = { () throws(CaptureReadingError) -> [MotionSample] in
        try TUMLists.motion(folder.bytes(of: file), limits: limits, path: file)
      }
    }
    return try Recording.paired(
      frames, layout: name, folder: folder, limits: limits, findings: findings, manner: manner,
      motion: motion)
  }

  private static func addCamera(
    _ files: TUMFolder, _ folder: any CaptureFolder, _ limits: ReadingLimits,
    _ comments: [String], to manner: inout PairedFrame.Manner, _ findings: inout [Finding]
  ) throws(CaptureReadingError) {
    if let file = files.calibration {
      let fields = try NumberLines(folder.bytes(of: file), limits: limits, path: file).lines.first
      guard let n = fields?.numbers, n.count >= 4 else {
        findings.append(
          Finding(
            .calibrationDamaged, .caution, "\(file) holds no line of fx fy cx cy",
            evidence: printable(text: (fields?.joined(separator: " ") ?? "").prefix(60))))
        return
      }
      var camera = RecordedCalibration()
      camera.matrix = [n[0], 0, 0, 0, n[1], 0, n[2], n[3], 1]
      manner.camera = camera
      // Lens terms follow in ETH3D's files; k1 k2 p1 p2 in OpenCV's order.
      if n.count >= 6, n[4...].contains(where: { $0 != 0 }) {
        findings.append(
          Finding(
            .calibrationDistortionUnknown, .caution,
            "\(file) has lens terms after the camera, which are not read", evidence: file))
      }
      return
    }
    guard let known = TUMCamera.named(in: comments) else { return }
    var camera = RecordedCalibration()
    camera.matrix = [
      known.focalLength.x, 0, 0, 0, known.focalLength.y, 0, known.principalPoint.x,
      known.principalPoint.y, 1,
    ]
    camera.referenceSize = RasterSize(width: 640, height: 480)
    manner.camera = camera
    manner.radialTerms = known.radialTerms
    findings.append(
      Finding(
        .calibrationAssumed, .caution,
        "the camera is the one that the benchmark publishes for \(known.name); its tangential lens "
          + "terms, at most \(known.tangentialPixels.fixed(1)) px, are left out",
        evidence: "# file: …\(known.name)…", correction: .applied))
  }
}
