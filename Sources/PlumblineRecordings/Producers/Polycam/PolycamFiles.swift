import PlumblineImages
import PlumblineIO
import PlumblineModel

/// The files of one folder `keyframes`, by the clock in their names.
struct PolycamFiles: Sendable {
  private var byFolder: [String: [Int: String]] = [:]
  /// The clock of each frame in microseconds, ascending.
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

  /// Whether the poses of a loop closure are there for a frame, with the images that go with them.
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

  /// A frame with the numbers of its camera file; what is wrong with that is a finding.
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
          "corrected-pose",
          "pose and intrinsics of corrected_cameras, which the app's loop closure improved; color "
            + (hasImage ? "of corrected_images, undistorted by it" : "as taken, not undistorted")))
    } else {
      frame.provenance.append(
        ProvenanceStep("arkit-pose", "pose and intrinsics as ARKit gave them"))
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
        ProvenanceStep("blur-score", "\(score.fixed(2)); the app says that lower is more blurred"))
    }
  }
}
