import PlumblineImages
import PlumblineIO
import PlumblineModel

/// The frames that one `transforms.json` lists.
struct NerfstudioSet {
  /// The frames with the paths that name them.
  private(set) var frames: [(name: String, frame: PosedFrame)] = []
  private(set) var worldAxes = WorldAxes.zUp
  private(set) var findings: [Finding] = []
  private let root: RecordedJSON
  private let files: Set<String>
  /// `originalFromFile`: converts the file's world back to that of the recording.
  private var originalFromFile = RigidTransform.identity
  private var appliedScale = 1.0
  private var steps: [ProvenanceStep] = []

  /// Parses the text; `files` are the names of all files in the folder.
  ///
  /// - Throws: `.malformed` and `.limitExceeded`; `.missing` without frames.
  init(
    _ bytes: ArraySlice<UInt8>, files: Set<String>, limits: ReadingLimits
  ) throws(CaptureReadingError) {
    self.files = files
    root = try RecordedJSON(parsing: bytes, limits: limits)
    guard let list = root["frames"]?.elements, !list.isEmpty else {
      throw CaptureReadingError(
        .missing, path: ["frames"], expected: "a list of frames",
        found: root["frames"]?.kind ?? "none")
    }
    try limits.require(list.count, atMost: limits.sequenceFrames, "frames")
    readWorld()
    var incomplete = Lists()
    for (index, entry) in list.enumerated() {
      let path = entry["file_path"]?.text ?? "frame \(index + 1)"
      frames.append((path, frame(entry, path, &incomplete)))
    }
    if frames.allSatisfy({ $0.frame.timestampSeconds != nil }) {
      findings += Recording.findings(
        ofTimes: frames.map(\.frame.timestampSeconds), names: frames.map(\.name))
    } else {
      frames.sort { NaturalOrder.precedes($0.name, $1.name) }
    }
    findings += incomplete.findings(of: list.count)
  }

  /// The frames that lack something, for findings.
  private struct Lists {
    var refused: [String] = []
    var absent: [String] = []
    var poseless: [String] = []

    func findings(of count: Int) -> [Finding] {
      [
        Recording.finding(
          .sequenceRefusedPaths, .caution, refused, of: count,
          lack: "name files by absolute paths or outside of the folder; these are not read"),
        Recording.finding(
          .sequenceIncompleteFrames, .caution, absent, of: count, lack: "name files that are absent"
        ),
        Recording.finding(
          .sequencePosesMissing, .caution, poseless, of: count,
          lack: "have no transform_matrix of a rotation and a translation"),
      ].compactMap(\.self)
    }
  }

  /// Reverts the conversions of the world by nerfstudio's converters, as far as the file records
  /// them.
  private mutating func readWorld() {
    if let applied = root["applied_transform"] {
      let rows = applied.elements?.compactMap(\.numbers).flatMap(\.self) ?? []
      if let fileFromOriginal = RigidTransform(rowMajor: rows) {
        originalFromFile = fileFromOriginal.inverse
        steps.append(
          ProvenanceStep(.undoneTransform, "poses times the inverse of applied_transform"))
        let up = originalFromFile.rotation * SIMD3(0, 0, 1)
        worldAxes = up == [0, 1, 0] ? .yUp : up == [0, 0, 1] ? .zUp : .unknown
      } else {
        findings.append(
          Finding(
            .fileDamagedMetadata, .caution,
            "applied_transform is no rotation and translation; poses stay in the file's own world",
            evidence: "applied_transform"))
      }
    }
    if let scale = root["applied_scale"]?.number {
      if (1e-6...1e6).contains(scale) {
        appliedScale = scale
        if scale != 1 {
          steps.append(
            ProvenanceStep(.undoneScale, "positions divided by applied_scale \(scale)"))
        }
      } else {
        findings.append(
          Finding(
            .fileDamagedMetadata, .caution, "applied_scale \(scale) is not that of a scene",
            evidence: "applied_scale"))
      }
    }
    // This project's writer states when the axes are unknown; nerfstudio always means +Z.
    if root[NerfstudioRecordingWriter.axesKey]?.text == WorldAxes.unknown.rawValue {
      worldAxes = .unknown
    }
  }

  private func frame(_ entry: RecordedJSON, _ path: String, _ lists: inout Lists) -> PosedFrame {
    var frame = PosedFrame(source: CaptureSource())
    frame.timestampSeconds = entry["timestamp"]?.number
    frame.provenance = steps
    frame.colorFile = file(entry["file_path"], path, ["", ".png", ".jpg", ".jpeg"], &lists)
    let depthPath = entry["depth_file_path"] ?? entry["depth_path"]
    if let name = file(depthPath, path, ["", ".png"], &lists) {
      let scale = root["depth_unit_scale_factor"]?.number ?? root["integer_depth_scale"]?.number
      frame.depthFile = Self.depthFile(
        name, scale: scale.flatMap { (1e-9...1).contains($0) ? $0 : nil })
    }
    let rows = entry["transform_matrix"]?.elements?.compactMap(\.numbers).flatMap(\.self) ?? []
    if let fileFromCamera = RigidTransform(rowMajor: rows) {
      var scaled = fileFromCamera.cameraAxes(.graphics, to: .computerVision)
      scaled.translation /= appliedScale
      frame.worldFromCamera = originalFromFile * scaled
    } else {
      lists.poseless.append(path)
    }
    readCamera(entry, evidence: printable(text: path), into: &frame)
    return frame
  }

  /// The file at a path; frames whose path is invalid or has no file are listed.
  private func file(
    _ path: RecordedJSON?, _ frame: String, _ endings: [String], _ lists: inout Lists
  ) -> String? {
    guard let path = path?.text else { return nil }
    guard let relative = RelativePath.normalized(path) else {
      if lists.refused.last != frame { lists.refused.append(frame) }
      return nil
    }
    if let ending = endings.first(where: { files.contains(relative + $0) }) {
      return relative + ending
    }
    if lists.absent.last != frame { lists.absent.append(frame) }
    return nil
  }

  private static func depthFile(_ name: String, scale: Double?) -> PosedFrame.DepthFile {
    guard name.hasSuffix(".npy") else {
      return PosedFrame.DepthFile(png: name, metersPerUnit: scale ?? 0.001)
    }
    return PosedFrame.DepthFile(
      name,
      steps: [
        ProvenanceStep(
          .read,
          scale.map { "meters = number · \($0)" }
            ?? "numbers are meters, or millimeters where whole or with a median of 50 or more")
      ]
    ) { bytes, limits throws(CaptureReadingError) in
      try NumericDepth.record(npy: bytes, metersPerUnit: scale, limits: limits)
    }
  }

  private func readCamera(_ entry: RecordedJSON, evidence: String, into frame: inout PosedFrame) {
    func number(_ key: String) -> Double? { entry[key]?.number ?? root[key]?.number }
    let model = entry["camera_model"]?.text ?? root["camera_model"]?.text ?? "OPENCV"
    let perspective = ["OPENCV", "PINHOLE", "SIMPLE_PINHOLE", "SIMPLE_RADIAL", "RADIAL"]
    guard perspective.contains(model) else {
      frame.findings.append(
        Finding(
          .calibrationUnmodeledLens, .fault,
          "the camera model \(printable(text: model.prefix(40))) is no pinhole with radial "
            + "distortion; the camera's numbers are left out", evidence: evidence))
      return
    }
    guard let size = RecordedCalibration.size(["w", "h"].compactMap { number($0) }),
      let fx = number("fl_x") ?? Self.focalLength(number("camera_angle_x"), size.width),
      let intrinsics = PinholeIntrinsics(
        fx: fx, fy: number("fl_y") ?? fx, cx: number("cx") ?? Double(size.width) / 2,
        cy: number("cy") ?? Double(size.height) / 2, size: size, grid: .cornerBased)
    else {
      let isNamed = number("fl_x") != nil || number("camera_angle_x") != nil
      if isNamed {
        frame.findings.append(
          Finding(
            .calibrationDamaged, .caution,
            "fl_x, fl_y, cx, cy, w and h are not those of a camera", evidence: evidence))
      }
      return
    }
    var lens = BrownLens()
    lens.radial = [number("k1") ?? 0, number("k2") ?? 0, number("k3") ?? 0]
    lens.eighthOrder = number("k4") ?? 0
    lens.tangential = [number("p1") ?? 0, number("p2") ?? 0]
    let (calibration, findings) = lens.calibration(of: intrinsics, evidence: evidence)
    frame.calibration = calibration
    frame.findings += findings
  }

  /// The focal length for a horizontal angle of view.
  private static func focalLength(_ angle: Double?, _ width: Int) -> Double? {
    // The tangent of the half angle from its sine and cosine, which a rotation provides.
    guard let angle, angle > 0.001, angle < 3.14,
      let turn = Rotation(axisAngle: [0, 0, angle / 2])
    else { return nil }
    return Double(width) / 2 * turn.x.x / turn.x.y
  }
}
