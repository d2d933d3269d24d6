import PlumblineIO
import PlumblineImages
import PlumblineModel

/// Folders of the TUM RGB-D benchmark and similar data sets; see `Documentation/formats/tum.md`.
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
    var lists = try TUMLists(files, folder, limits: limits)
    var frames = lists.frames()
    var findings = lists.findings
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
    manner.encoding = .codes(perMeter: codesPerMeter(lists.comments))
    findings += try addCamera(files, folder, limits, lists.comments, to: &manner)
    var motion: Recording.MotionReader?
    if let file = files.accelerometer {
      motion = { () throws(CaptureReadingError) -> RecordedMotion in
        try TUMLists.motion(folder.bytes(of: file), limits: limits, path: file)
      }
    }
    return try Recording.paired(
      frames, layout: name, folder: folder, limits: limits, findings: findings, manner: manner,
      motion: motion)
  }

  /// The scale that a comment of the lists states; the benchmark's without one.
  private static func codesPerMeter(_ comments: [String]) -> Double {
    for comment in comments {
      let text = comment.drop { $0 == " " }
      guard text.hasPrefix(TUMRecordingWriter.scaleComment) else { continue }
      let number = text.dropFirst(TUMRecordingWriter.scaleComment.count).filter { $0 != " " }
      if let scale = Double(number), (1...1e6).contains(scale) { return scale }
    }
    return TUMRecordingWriter.benchmarkCodesPerMeter
  }

  /// Adds the camera of a file, or the one named in the comments of the lists; returns findings.
  private static func addCamera(
    _ files: TUMFolder, _ folder: any CaptureFolder, _ limits: ReadingLimits,
    _ comments: [String], to manner: inout PairedFrame.Manner
  ) throws(CaptureReadingError) -> [Finding] {
    if let file = files.calibration {
      let fields = try NumberLines(folder.bytes(of: file), limits: limits, path: file).lines.first
      guard let n = fields?.numbers, n.count >= 4 else {
        return [
          Finding(
            .calibrationDamaged, .caution, "\(file) holds no line of fx fy cx cy",
            evidence: printable(text: (fields?.joined(separator: " ") ?? "").prefix(60)))
        ]
      }
      var camera = RecordedCalibration()
      camera.matrix = [n[0], 0, 0, 0, n[1], 0, n[2], n[3], 1]
      manner.camera = camera
      // ETH3D's files add lens terms: k1 k2 p1 p2 in OpenCV's order.
      guard n.count >= 6, n[4...].contains(where: { $0 != 0 }) else { return [] }
      return [
        Finding(
          .calibrationDistortionUnknown, .caution,
          "\(file) has lens terms after the camera, which are not read", evidence: file)
      ]
    }
    guard let known = TUMCamera.named(in: comments) else { return [] }
    var camera = RecordedCalibration()
    camera.matrix = [
      known.focalLength.x, 0, 0, 0, known.focalLength.y, 0, known.principalPoint.x,
      known.principalPoint.y, 1,
    ]
    camera.referenceSize = RasterSize(width: 640, height: 480)
    manner.camera = camera
    manner.radialTerms = known.radialTerms
    return [
      Finding(
        .calibrationAssumed, .caution,
        "the camera is the one that the benchmark publishes for \(known.name); its tangential lens "
          + "terms, at most \(known.tangentialPixels.fixed(1)) px, are left out",
        evidence: "# file: …\(known.name)…", correction: .applied)
    ]
  }
}

/// The files of a folder that are parts of a TUM recording.
struct TUMFolder {
  /// The subfolder with the recording, with its `/`; empty for the folder itself.
  let prefix: String
  let depthList: String?
  let colorList: String?
  let associations: String?
  let groundTruth: String?
  let accelerometer: String?
  let calibration: String?
  /// All files, to check which files of the lists exist.
  let names: Set<String>

  private static let associationNames = [
    "associations.txt", "associated.txt", "associate.txt", "association.txt",
  ]

  /// Finds the parts in the folder itself or in the only subfolder that has them.
  init?(_ fileNames: [String]) {
    let lists = fileNames.filter { name in
      let path = FolderPath(name)
      return path.ending == "txt" && pathParts(path.folder).count <= 2
        && (path.stem == "depth" || Self.associationNames.contains("\(path.stem).txt"))
    }
    let prefixes = Set(lists.map { FolderPath($0).folder })
    guard let prefix = prefixes.contains("") ? "" : prefixes.count == 1 ? prefixes.first : nil,
      fileNames.contains(where: { $0.hasPrefix("\(prefix)depth/") })
    else { return nil }
    let names = Set(fileNames)
    func file(_ name: String) -> String? { names.contains(prefix + name) ? prefix + name : nil }
    self.prefix = prefix
    self.names = names
    depthList = file("depth.txt")
    colorList = file("rgb.txt")
    associations = Self.associationNames.lazy.compactMap(file).first
    groundTruth = file("groundtruth.txt")
    accelerometer = file("accelerometer.txt")
    calibration = file("calibration.txt")
  }
}

/// A color camera of the TUM RGB-D benchmark, 640×480, to which its depth maps are registered.
///
/// - Source: Computer Vision Group TUM, *RGB-D SLAM Dataset and Benchmark*, File formats,
///   "Intrinsic camera calibration of the Kinect": `fx fy cx cy` and OpenCV's `d0 … d4` (k1 k2 p1
///   p2 k3).
struct TUMCamera: Sendable {
  let name: String
  let focalLength: SIMD2<Double>
  let principalPoint: SIMD2<Double>
  /// `k1`, `k2`, `k3`; `nil` for the rectified images of freiburg3.
  let radialTerms: SIMD3<Double>?
  /// `p1`, `p2`, which this package's lens model does not support.
  let tangentialTerms: SIMD2<Double>

  private static let all = [
    TUMCamera(
      name: "freiburg1", focalLength: [517.3, 516.5], principalPoint: [318.6, 255.3],
      radialTerms: [0.2624, -0.9531, 1.1633], tangentialTerms: [-0.0054, 0.0026]),
    TUMCamera(
      name: "freiburg2", focalLength: [520.9, 521.0], principalPoint: [325.1, 249.7],
      radialTerms: [0.2312, -0.7849, 0.9172], tangentialTerms: [-0.0033, -0.0001]),
    TUMCamera(
      name: "freiburg3", focalLength: [535.4, 539.2], principalPoint: [320.1, 247.6],
      radialTerms: nil, tangentialTerms: [0, 0]),
  ]

  /// The camera named in the comments of a list: `# file: 'rgbd_dataset_freiburg1_xyz.bag'`.
  ///
  /// - Returns: `nil` if none or two are named.
  static func named(in comments: [String]) -> TUMCamera? {
    let found = all.filter { camera in comments.contains { $0.contains(camera.name) } }
    return found.count == 1 ? found.first : nil
  }

  /// The displacement of a corner by the ignored terms, in pixels: `p1·(r² + 2y²) + 2·p2·x·y` and
  /// its counterpart.
  var tangentialPixels: Double {
    let corner = SIMD2(320.0, 240.0) / focalLength
    let square = (corner * corner).sum()
    let p = tangentialTerms
    let x = 2 * abs(p.x * corner.x * corner.y) + abs(p.y) * (square + 2 * corner.x * corner.x)
    let y = abs(p.x) * (square + 2 * corner.y * corner.y) + 2 * abs(p.y * corner.x * corner.y)
    let moved = SIMD2(x, y) * focalLength
    return (moved * moved).sum().squareRoot()
  }
}
