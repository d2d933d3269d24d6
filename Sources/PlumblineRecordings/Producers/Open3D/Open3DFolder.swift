import PlumblineImages
import PlumblineIO
import PlumblineModel

/// Which files of a folder are the parts of an Open3D recording.
struct Open3DFolder {
  /// The folder inside that holds it, with its `/`; empty for the folder itself.
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

  /// Finds them, in the folder itself or in the only folder inside that has them.
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
    // Polycam's own folder has other files beside these and a reader of its own.
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

  /// Pairs depth maps with color images: by `rgbd.match`, else by equal names, else by their order
  /// where there are equally many.
  func frames(
    _ folder: any CaptureFolder, limits: ReadingLimits, findings: inout [Finding]
  ) throws(CaptureReadingError) -> [PairedFrame] {
    try limits.require(depthFiles.count, atMost: limits.sequenceFrames, "frames")
    var colors = try matched(folder, limits, &findings)
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
    return depthFiles.map { file in
      PairedFrame(name: FolderPath(file).stem, depthFile: file, colorFile: colors[file])
    }
  }

  private func matched(
    _ folder: any CaptureFolder, _ limits: ReadingLimits, _ findings: inout [Finding]
  ) throws(CaptureReadingError) -> [String: String] {
    guard let matchFile else { return [:] }
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
    if unusable > 0 {
      findings.append(
        Finding(
          .fileDamagedMetadata, .caution, "\(unusable) lines name no pair of files",
          evidence: matchFile))
    }
    return matches
  }

  /// The camera of Open3D's JSON: the matrix stands column after column.
  ///
  /// - Source: Open3D, `PinholeCameraIntrinsic::ConvertFromJsonValue`, which reads Eigen's memory.
  static func camera(_ json: RecordedJSON) -> RecordedCalibration {
    var camera = RecordedCalibration()
    camera.matrix = json["intrinsic_matrix"]?.numbers
    let size = [json["width"]?.number, json["height"]?.number].compactMap(\.self)
    camera.referenceSize = RecordedCalibration.size(size)
    return camera
  }
}
