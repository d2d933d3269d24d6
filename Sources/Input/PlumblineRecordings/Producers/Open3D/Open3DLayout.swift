import PlumblineIO
import PlumblineImages
import PlumblineModel

/// Folders of color images and depth maps with a camera and a trajectory, as in Redwood's data sets
/// and Open3D's programs; see `Documentation/formats/open3d-redwood.md`.
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
    var (frames, findings) = try files.frames(folder, limits: limits)
    if let file = files.trajectoryFile {
      findings += try addPoses(from: file, folder, limits, to: &frames)
    }
    var manner = PairedFrame.Manner()
    manner.isUnitAssumed = true
    if let file = files.intrinsicFile {
      findings += try addCamera(from: file, folder, limits, to: &manner)
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

  /// Adds the poses of a trajectory; returns the findings.
  private static func addPoses(
    from name: String, _ folder: any CaptureFolder, _ limits: ReadingLimits,
    to frames: inout [PairedFrame]
  ) throws(CaptureReadingError) -> [Finding] {
    do throws(CaptureReadingError) {
      let trajectory = try TrajectoryLog(folder.bytes(of: name), limits: limits, path: name)
      for index in frames.indices {
        frames[index].worldFromCamera = trajectory.poses[index]
      }
      let without = frames.filter { $0.worldFromCamera == nil }
      guard !without.isEmpty else { return [] }
      return [
        Finding(
          .sequencePosesMissing, .note, "\(without.count) of \(frames.count) frames have no pose",
          evidence: name)
      ]
    } catch {
      if error.refusesFile { throw error }
      return [.damagedMetadata(name, error)]
    }
  }

  /// Adds the camera of a file and the unit of its depth; returns the findings.
  private static func addCamera(
    from name: String, _ folder: any CaptureFolder, _ limits: ReadingLimits,
    to manner: inout PairedFrame.Manner
  ) throws(CaptureReadingError) -> [Finding] {
    var findings: [Finding] = []
    do throws(CaptureReadingError) {
      let json = try RecordedJSON(parsing: folder.bytes(of: name)[...], limits: limits)
      manner.camera = Open3DFolder.camera(json)
      if manner.camera?.matrix == nil {
        findings.append(
          Finding(
            .calibrationDamaged, .caution, "no intrinsic_matrix of nine numbers",
            evidence: printable(text: name)))
      }
      // Open3D's recorder for RealSense cameras writes the number of codes per meter.
      if let scale = json["depth_scale"]?.number, (1...1e6).contains(scale) {
        manner.encoding = .codes(perMeter: scale)
        manner.isUnitAssumed = false
      }
    } catch {
      if error.refusesFile { throw error.inside(name) }
      findings.append(.damagedMetadata(name, error))
    }
    return findings
  }
}

/// The files of a folder that are parts of an Open3D recording.
struct Open3DFolder {
  /// The subfolder with the recording, with its `/`; empty for the folder itself.
  let prefix: String
  let trajectoryFile: String?
  let intrinsicFile: String?
  private let depthFiles: [String]
  private let colorFiles: [String]
  private let matchFile: String?

  private static let colorFolders = ["color", "image", "rgb"]
  private static let intrinsicNames = [
    "intrinsic.json", "camera_intrinsic.json", "intrinsics.json", "camera_primesense.json",
  ]

  /// Finds the parts in the folder itself or in the only subfolder that has them.
  init?(_ fileNames: [String]) {
    var depth: [String: [String]] = [:]
    var color: [String: [String]] = [:]
    for name in fileNames {
      let path = FolderPath(name)
      let parts = pathParts(path.folder).dropLast()
      guard (1...2).contains(parts.count), let last = parts.last else { continue }
      let prefix = parts.count == 2 ? "\(parts[0])/" : ""
      if last == "depth", path.ending == "png" {
        depth[prefix, default: []].append(name)
      } else if Self.colorFolders.contains(String(last)),
        FolderPath.colorEndings.contains(path.ending)
      {
        color[prefix, default: []].append(name)
      }
    }
    let both = depth.keys.filter { color[$0] != nil }
    // Polycam's own folder contains further files and has its own reader.
    guard let prefix = both.contains("") ? "" : both.count == 1 ? both.first : nil,
      prefix != "keyframes/", let depthFiles = depth[prefix], let colorFiles = color[prefix]
    else { return nil }
    self.prefix = prefix
    self.depthFiles = depthFiles.sorted(by: NaturalOrder.precedes)
    self.colorFiles = colorFiles.sorted(by: NaturalOrder.precedes)
    let names = Set(fileNames)
    func first(_ candidates: [String]) -> String? {
      candidates.flatMap { [prefix + $0, $0] }.first(where: names.contains)
    }
    trajectoryFile = first(["trajectory.log"])
    intrinsicFile = first(Self.intrinsicNames)
    matchFile = first(["rgbd.match"])
  }

  /// Pairs depth maps with color images: by `rgbd.match`, else by equal names, else by order if
  /// their counts are equal.
  func frames(
    _ folder: any CaptureFolder, limits: ReadingLimits
  ) throws(CaptureReadingError) -> (frames: [PairedFrame], findings: [Finding]) {
    try limits.require(depthFiles.count, atMost: limits.sequenceFrames, "frames")
    var (colors, findings) = try matched(folder, limits)
    if colors.isEmpty {
      let byStem = Dictionary(
        colorFiles.map { (FolderPath($0).stem, $0) }, uniquingKeysWith: { first, _ in first })
      for file in depthFiles { colors[file] = byStem[FolderPath(file).stem] }
      if colors.isEmpty, colorFiles.count == depthFiles.count {
        for (depth, color) in zip(depthFiles, colorFiles) { colors[depth] = color }
        findings.append(
          Finding(
            .sequenceTimeUnknown, .note,
            "images are paired by the order of their names, which differ",
            evidence: "\(depthFiles.first ?? ""), \(colorFiles.first ?? "")"))
      }
    }
    let frames = depthFiles.map { file in
      PairedFrame(name: FolderPath(file).stem, depthFile: file, colorFile: colors[file])
    }
    return (frames, findings)
  }

  private func matched(
    _ folder: any CaptureFolder, _ limits: ReadingLimits
  ) throws(CaptureReadingError) -> (colors: [String: String], findings: [Finding]) {
    guard let matchFile else { return ([:], []) }
    let depths = Set(depthFiles)
    let colors = Set(colorFiles)
    let base = FolderPath(matchFile).folder
    var matches: [String: String] = [:]
    var unusable = 0
    for line in try NumberLines(folder.bytes(of: matchFile), limits: limits, path: matchFile).lines
    {
      guard line.count == 2, depths.contains(base + line[0]), colors.contains(base + line[1]) else {
        unusable += 1
        continue
      }
      matches[base + line[0]] = matches[base + line[0]] ?? base + line[1]
    }
    guard unusable > 0 else { return (matches, []) }
    let finding = Finding(
      .fileDamagedMetadata, .caution, "\(unusable) lines name no pair of files",
      evidence: matchFile)
    return (matches, [finding])
  }

  /// The camera from Open3D's JSON, whose matrix is column-major.
  ///
  /// - Source: Open3D, `PinholeCameraIntrinsic::ConvertFromJsonValue`, which reads Eigen's memory
  ///   layout.
  static func camera(_ json: RecordedJSON) -> RecordedCalibration {
    var camera = RecordedCalibration()
    camera.matrix = json["intrinsic_matrix"]?.numbers
    let size = [json["width"]?.number, json["height"]?.number].compactMap(\.self)
    camera.referenceSize = RecordedCalibration.size(size)
    return camera
  }
}

/// Camera poses from Redwood's `.log` files: three integers, then a 4×4 matrix.
///
/// - Source: Redwood, *Indoor LiDAR-RGBD Scan Dataset*, file formats: the matrix is world from
///   camera; the first integer is the frame number.
struct TrajectoryLog {
  /// `worldFromCamera` by frame number.
  let poses: [Int: RigidTransform]

  /// Reads a file.
  ///
  /// - Throws: `.malformed` with the number of the entry; `.limitExceeded`.
  init(_ bytes: [UInt8], limits: ReadingLimits, path: String) throws(CaptureReadingError) {
    let lines = try NumberLines(bytes, limits: limits, path: path).lines
    try limits.require(
      lines.count / 5, atMost: limits.sequenceFrames, "poses", path: [path])
    var poses: [Int: RigidTransform] = [:]
    for start in stride(from: 0, to: lines.count, by: 5) {
      let entry = lines[start..<min(start + 5, lines.count)]
      let rows = entry.dropFirst().compactMap(\.numbers)
      guard entry.count == 5, rows.count == 4, rows.allSatisfy({ $0.count == 4 }),
        let number = entry.first?.first.flatMap({ Int($0) }), number >= 0,
        let pose = RigidTransform(rowMajor: rows.flatMap(\.self))
      else {
        throw CaptureReadingError(
          .malformed, path: [path, "entry \(start / 5)"],
          expected: "a number and four rows of a rigid 4×4 matrix",
          found: printable(text: entry.flatMap(\.self).joined(separator: " ").prefix(60)))
      }
      poses[number] = poses[number] ?? pose
    }
    self.poses = poses
  }
}
