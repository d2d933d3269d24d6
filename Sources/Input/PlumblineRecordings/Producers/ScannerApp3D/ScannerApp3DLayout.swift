import PlumblineImages
import PlumblineIO
import PlumblineModel

/// The folders that 3D Scanner App exports as "All Data"; see
/// `Documentation/formats/3d-scanner-app.md`.
enum ScannerApp3DLayout: RecordingLayout {
  static let name = "3D Scanner App"
  static let signs = "frame_00000.json with cameraPoseARFrame, and depth_00000.png"
  private static let poseKey = "cameraPoseARFrame"

  static func recognizes(
    _ folder: any CaptureFolder, names: Set<String>, limits: ReadingLimits
  ) throws(CaptureReadingError) -> Bool {
    guard let path = path(folder) else { return false }
    let scan = Subfolder(folder, path: path)
    // Any of them may be damaged, so several are tried.
    for file in scan.fileNames.filter({ number(in: $0, "frame_", ".json") != nil }).prefix(4) {
      let start = try scan.firstBytes(of: file, count: 64 << 10)
      if String(decoding: start, as: UTF8.self).contains("\"\(poseKey)\"") { return true }
    }
    return false
  }

  private static func path(_ folder: any CaptureFolder) -> String? {
    folder.pathOfFolder(withFileAtDepth: 0) { number(in: String($0), "frame_", ".json") != nil }
  }

  /// The number between two parts of a name, such as 7 in `frame_00007.json`.
  private static func number(in name: String, _ start: String, _ end: String) -> Int? {
    guard name.hasPrefix(start), name.hasSuffix(end) else { return nil }
    return Int(digits: name.dropFirst(start.count).dropLast(end.count), atMost: 9)
  }

  private struct Files: Sendable {
    var camera, depth, confidence, color: String?
  }

  static func recording(
    from folder: any CaptureFolder, limits: ReadingLimits
  ) throws(CaptureReadingError) -> Recording {
    guard let path = path(folder) else {
      throw CaptureReadingError(.missing, path: [name], expected: signs, found: "none")
    }
    let scan = Subfolder(folder, path: path)
    let byNumber = filesByNumber(scan.fileNames)
    let numbers = byNumber.keys.filter {
      byNumber[$0]?.depth != nil || byNumber[$0]?.color != nil
    }.sorted()
    try limits.require(numbers.count, atMost: limits.sequenceFrames, "frames")
    guard !numbers.isEmpty else {
      throw CaptureReadingError(
        .missing, path: [name], expected: "images named frame_00000.jpg or depth_00000.png",
        found: "camera files without images; share the scan as “All Data”")
    }
    let files = numbers.map { byNumber[$0] ?? Files() }
    let names = numbers.map { $0.digits(atLeast: 5) }
    let times = files.map { seconds(of: $0, scan, limits) }
    let colorSize = colorSize(files, scan, limits)
    let findings =
      Recording.findings(ofTimes: times, names: names) + missingFindings(files, names: names)
    return Recording(
      layout: name,
      frames: zip(names, times).map { RecordedFrame(name: $0, timestampSeconds: $1) },
      worldAxes: .yUp, findings: findings
    ) { index, color throws(CaptureReadingError) in
      var frame = PosedFrame(source: .apple(.lidar, .arkit))
      frame.timestampSeconds = times[index]
      frame.depthFile = files[index].depth.map { PosedFrame.DepthFile(png: $0) }
      frame.confidenceFile = files[index].confidence
      frame.confidenceCoding = .either
      frame.colorFile = files[index].color
      if let camera = files[index].camera {
        try read(camera, scan, limits, colorSize: colorSize, into: &frame)
      }
      return try frame.capture(from: scan, limits: limits, color: color)
    }
  }

  /// The files of each frame by frame number.
  private static func filesByNumber(_ names: [String]) -> [Int: Files] {
    var byNumber: [Int: Files] = [:]
    for name in names {
      if let number = number(in: name, "frame_", ".json") {
        byNumber[number, default: Files()].camera = byNumber[number]?.camera ?? name
      } else if let number = number(in: name, "depth_", ".png") {
        byNumber[number, default: Files()].depth = byNumber[number]?.depth ?? name
      } else if let number = number(in: name, "conf_", ".png") {
        byNumber[number, default: Files()].confidence = byNumber[number]?.confidence ?? name
      } else if let number = number(in: name, "frame_", ".jpg") {
        byNumber[number, default: Files()].color = byNumber[number]?.color ?? name
      }
    }
    return byNumber
  }

  /// The findings about frames that lack a file.
  private static func missingFindings(_ files: [Files], names: [String]) -> [Finding] {
    func lacking(_ isMissing: (Files) -> Bool) -> [String] {
      zip(names, files).filter { isMissing($0.1) }.map(\.0)
    }
    return [
      Recording.finding(
        .sequenceIncompleteFrames, .note, lacking { $0.color == nil }, of: names.count,
        lack: "have no color image, since the app keeps fewer of them than of depth maps"),
      Recording.finding(
        .sequenceIncompleteFrames, .note, lacking { $0.depth == nil }, of: names.count,
        lack: "have no depth map, which the app records in its low-resolution mode alone"),
      Recording.finding(
        .sequencePosesMissing, .caution, lacking { $0.camera == nil }, of: names.count,
        lack: "have no camera file, and so neither pose nor intrinsics"),
    ].compactMap(\.self)
  }

  private static func seconds(
    of files: Files, _ folder: any CaptureFolder, _ limits: ReadingLimits
  ) -> Double? {
    guard let file = files.camera, let bytes = try? folder.bytes(of: file),
      let json = try? RecordedJSON(parsing: bytes[...], limits: limits)
    else { return nil }
    return json["time"]?.number
  }

  /// The size of the first color image whose header states it; intrinsics refer to it.
  private static func colorSize(
    _ files: [Files], _ folder: any CaptureFolder, _ limits: ReadingLimits
  ) -> RasterSize? {
    // One damaged image must not lose the size, and a folder of them must not take minutes.
    for file in files.lazy.compactMap(\.color).prefix(4) {
      let request = CaptureReader(limits: limits, color: .none, threads: 1)
      if let bytes = try? folder.bytes(of: file),
        let size = try? request.capture(from: bytes).colorSize
      {
        return size
      }
    }
    return nil
  }

  private static func read(
    _ file: String, _ folder: any CaptureFolder, _ limits: ReadingLimits, colorSize: RasterSize?,
    into frame: inout PosedFrame
  ) throws(CaptureReadingError) {
    let evidence = printable(text: file)
    guard let json = try frame.cameraText(file, from: folder, limits: limits) else { return }
    if let worldFromCamera = json[poseKey]?.numbers.flatMap({ RigidTransform(rowMajor: $0) }) {
      frame.worldFromCamera = worldFromCamera.cameraAxes(.graphics, to: .computerVision)
    } else {
      frame.findings.append(
        Finding(
          .sequencePosesMissing, .caution,
          "\(poseKey) is no matrix of a rotation and a translation",
          evidence: evidence))
    }
    if let quality = json["motionQuality"]?.number {
      frame.provenance.append(
        ProvenanceStep(.motionQuality, "\(quality.fixed(3)); the app says that 1 is still"))
    }
    guard let rows = json["intrinsics"]?.numbers else { return }
    if let size = colorSize ?? assumedSize(rows, &frame.provenance), rows.count == 9,
      let intrinsics = PinholeIntrinsics(
        columnMajor: (0..<9).map { rows[$0 % 3 * 3 + $0 / 3] }, size: size)
    {
      frame.calibration = CameraCalibration(intrinsics: intrinsics)
    } else {
      frame.findings.append(
        Finding(
          .calibrationDamaged, .caution,
          "intrinsics are not the matrix of a camera of a known size",
          evidence: evidence))
    }
  }

  /// The sizes of ARKit's color images in pixels, the most frequent first.
  ///
  /// - Source: Apple's `ARConfiguration.VideoFormat` on phones with LiDAR: 1920×1440 by default,
  ///   and 1920×1080, 1280×720 and 3840×2160 on request.
  private static let colorSizes = [(1920, 1440), (1920, 1080), (1280, 720), (3840, 2160)]

  /// The size of ARKit images to which a matrix fits, for scans without a readable color image: the
  /// principal point is within 1/20 of the center.
  private static func assumedSize(
    _ rows: [Double], _ provenance: inout [ProvenanceStep]
  ) -> RasterSize? {
    guard rows.count == 9 else { return nil }
    for (width, height) in colorSizes {
      let offset = SIMD2(rows[2] / Double(width) - 0.5, rows[5] / Double(height) - 0.5)
      guard abs(offset.x) < 0.05, abs(offset.y) < 0.05 else { continue }
      provenance.append(
        ProvenanceStep(
          .assumedSize,
          "no color image tells the size of the intrinsics; their principal point is in the middle "
            + "of \(width)×\(height)"))
      return RasterSize(width: width, height: height)
    }
    return nil
  }
}
