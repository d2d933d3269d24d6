import PlumblineIO
import PlumblineImages
import PlumblineModel

/// The raw data that Polycam exports; see `Documentation/formats/polycam.md`.
enum PolycamLayout: RecordingLayout {
  static let name = "Polycam raw data"
  static let signs = "keyframes/cameras/T.json and keyframes/depth/T.png"

  static func recognizes(
    _ folder: any CaptureFolder, names: Set<String>, limits: ReadingLimits
  ) throws(CaptureReadingError) -> Bool {
    path(folder) != nil
  }

  /// The path to the folder `keyframes`, or to the opened folder if that is `keyframes` itself.
  private static func path(_ folder: any CaptureFolder) -> String? {
    if let path = folder.pathOfFolder(
      withFileAtDepth: 2, where: { $0.hasPrefix("keyframes/") && isCamera($0.dropFirst(10)) })
    {
      return path + "keyframes/"
    }
    // Without the folder name, camera files alone are not specific enough.
    guard let path = folder.pathOfFolder(withFileAtDepth: 1, where: isCamera),
      folder.fileNames.contains(where: { $0.hasPrefix(path + "depth/") && $0.hasSuffix(".png") })
    else { return nil }
    return path
  }

  private static func isCamera(_ path: Substring) -> Bool {
    let parts = pathParts(String(path))
    return parts.count == 2 && ["cameras", "corrected_cameras"].contains(parts[0])
      && parts[1].hasSuffix(".json") && microseconds(parts[1]) != nil
  }

  /// The time in a file's name; `nil` if there is none.
  static func microseconds(_ fileName: Substring) -> Int? {
    Int(digits: fileName.prefix { $0 != "." })
  }

  static func recording(
    from folder: any CaptureFolder, limits: ReadingLimits
  ) throws(CaptureReadingError) -> Recording {
    guard let path = path(folder) else {
      throw CaptureReadingError(.missing, path: [name], expected: signs, found: "none")
    }
    let keyframes = Subfolder(folder, path: path)
    let files = PolycamFiles(keyframes.fileNames)
    let times = files.times
    try limits.require(times.count, atMost: limits.sequenceFrames, "frames")
    let names = times.map { "\($0)" }
    var findings = files.findings
    let above = Subfolder(folder, path: String(path.dropLast("keyframes/".count)))
    if path.hasSuffix("keyframes/"), let note = meshNote(above, limits: limits) {
      findings.append(note)
    }
    return Recording(
      layout: name,
      frames: zip(names, times).map {
        RecordedFrame(name: $0, timestampSeconds: Double($1) / 1_000_000)
      },
      worldAxes: .yUp, findings: findings
    ) { index, color throws(CaptureReadingError) in
      try files.frame(times[index], in: keyframes, limits: limits)
        .capture(from: keyframes, limits: limits, color: color)
    }
  }

  /// A finding about the mesh beside the frames, whose transform is not applied to them.
  private static func meshNote(_ folder: any CaptureFolder, limits: ReadingLimits) -> Finding? {
    guard let bytes = try? folder.bytes(of: "mesh_info.json"),
      let json = try? RecordedJSON(parsing: bytes[...], limits: limits)
    else { return nil }
    let lists: [[Double]]? = json["alignmentTransform"]?.elements?.compactMap(\.numbers)
    guard let columns: [Double] = json["alignmentTransform"]?.numbers ?? lists?.flatMap(\.self),
      columns.count == 16
    else { return nil }
    let rows = (0..<16).map { (index: Int) -> Double in columns[index % 4 * 4 + index / 4] }
    guard let meshFromWorld = RigidTransform(rowMajor: rows), meshFromWorld != .identity else {
      return nil
    }
    let t = meshFromWorld.translation
    return Finding(
      .sequenceOtherFiles, .note,
      "raw.glb lies in another world than the frames: its points are alignmentTransform (column "
        + "after column; moves by \(t.x.fixed(3)), \(t.y.fixed(3)), \(t.z.fixed(3)) m) times theirs",
      evidence: "mesh_info.json, alignmentTransform")
  }
}

/// The files of one folder `keyframes`, by the times in their names.
struct PolycamFiles: Sendable {
  private var byFolder: [String: [Int: String]] = [:]
  /// The time of each frame in microseconds, ascending.
  let times: [Int]

  init(_ names: [String]) {
    for name in names {
      let parts = pathParts(name)
      guard parts.count == 2, let time = PolycamLayout.microseconds(parts[1]) else { continue }
      byFolder[String(parts[0]), default: [:]][time] = byFolder[String(parts[0])]?[time] ?? name
    }
    var all: Set<Int> = []
    for folder in ["cameras", "corrected_cameras", "depth", "images", "corrected_images"] {
      all.formUnion(byFolder[folder, default: [:]].keys)
    }
    times = all.sorted()
  }

  private func file(_ folder: String, _ time: Int) -> String? { byFolder[folder]?[time] }

  /// Whether a frame has a pose from loop closure, with the corresponding images.
  private func isCorrected(_ time: Int) -> Bool { file("corrected_cameras", time) != nil }

  var findings: [Finding] {
    func names(_ isMissing: (Int) -> Bool) -> [String] { times.filter(isMissing).map { "\($0)" } }
    return [
      Recording.finding(
        .sequenceIncompleteFrames, .note, names { file("depth", $0) == nil }, of: times.count,
        lack: "have no depth map"),
      Recording.finding(
        .sequenceIncompleteFrames, .note,
        names { file("images", $0) == nil && file("corrected_images", $0) == nil },
        of: times.count, lack: "have no color image"),
      Recording.finding(
        .sequencePosesMissing, .caution,
        names { file("cameras", $0) == nil && file("corrected_cameras", $0) == nil },
        of: times.count, lack: "have no camera file, and so neither pose nor intrinsics"),
      Recording.finding(
        .sequencePosesMissing, .note,
        byFolder["corrected_cameras"] == nil ? [] : names { !isCorrected($0) },
        of: times.count, lack: "have no corrected pose; ARKit's own differs by its drift"),
    ].compactMap(\.self)
  }

  /// A frame with the values of its camera file; problems in that file become findings.
  func frame(
    _ time: Int, in folder: any CaptureFolder, limits: ReadingLimits
  ) throws(CaptureReadingError) -> PosedFrame {
    var frame = PosedFrame(source: .apple(.lidar, .arkit))
    frame.timestampSeconds = Double(time) / 1_000_000
    frame.depthFile = file("depth", time).map { PosedFrame.DepthFile(png: $0) }
    frame.confidenceFile = file("confidence", time)
    frame.confidenceCoding = .spread
    frame.colorFile = file("images", time) ?? file("corrected_images", time)
    if isCorrected(time) {
      let hasImage = file("corrected_images", time) != nil
      frame.colorFile = file("corrected_images", time) ?? frame.colorFile
      frame.provenance.append(
        ProvenanceStep(
          .correctedPose,
          "pose and intrinsics of corrected_cameras, which the app's loop closure improved; color "
            + (hasImage ? "of corrected_images, undistorted by it" : "as taken, not undistorted")))
    } else {
      frame.provenance.append(
        ProvenanceStep(.arkitPose, "pose and intrinsics as ARKit gave them"))
    }
    guard let cameraFile = file("corrected_cameras", time) ?? file("cameras", time) else {
      return frame
    }
    if let json = try frame.cameraText(cameraFile, from: folder, limits: limits) {
      read(json, cameraFile, into: &frame)
    }
    return frame
  }

  private func read(_ json: RecordedJSON, _ cameraFile: String, into frame: inout PosedFrame) {
    let evidence = printable(text: cameraFile)
    let keys = (0..<12).map { "t_\($0 / 4)\($0 % 4)" }
    let rows = keys.compactMap { json[$0]?.number }
    if let worldFromCamera = RigidTransform(rowMajor: rows) {
      frame.worldFromCamera = worldFromCamera.cameraAxes(.graphics, to: .computerVision)
    } else {
      frame.findings.append(
        Finding(
          .sequencePosesMissing, .caution, "t_00 to t_23 are no rotation and translation",
          evidence: evidence))
    }
    let numbers = ["fx", "fy", "cx", "cy", "width", "height"].compactMap { json[$0]?.number }
    if numbers.count == 6, let size = RecordedCalibration.size(Array(numbers[4...])),
      let intrinsics = PinholeIntrinsics(
        fx: numbers[0], fy: numbers[1], cx: numbers[2], cy: numbers[3], size: size)
    {
      frame.calibration = CameraCalibration(intrinsics: intrinsics)
    } else {
      frame.findings.append(
        Finding(
          .calibrationDamaged, .caution,
          "fx, fy, cx, cy, width and height are not those of a camera", evidence: evidence))
    }
    if let score = json["blur_score"]?.number {
      frame.provenance.append(
        ProvenanceStep(.blurScore, "\(score.fixed(2)); the app says that lower is more blurred"))
    }
  }
}
