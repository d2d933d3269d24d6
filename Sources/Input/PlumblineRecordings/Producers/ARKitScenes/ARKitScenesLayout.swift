import PlumblineImages
import PlumblineIO
import PlumblineModel
import PlumblineStreams

/// One video of Apple's data set ARKitScenes; see `Documentation/formats/arkitscenes.md`.
enum ARKitScenesLayout: RecordingLayout {
  static let name = "ARKitScenes"
  static let signs = "lowres_depth/VIDEO_SECONDS.png and lowres_wide.traj"
  /// The maximum time difference of two files that belong together, in seconds.
  ///
  /// - Source: apple/ARKitScenes, `threedod/benchmark_scripts/utils/tenFpsDataLoader.py`, which
  ///   uses poses less than 0.005 s away.
  static let tolerance = 0.005

  static func recognizes(
    _ folder: any CaptureFolder, names: Set<String>, limits: ReadingLimits
  ) throws(CaptureReadingError) -> Bool {
    path(folder) != nil
  }

  private static func path(_ folder: any CaptureFolder) -> String? {
    folder.pathOfFolder(withFileAtDepth: 1) { path in
      path.hasPrefix("lowres_depth/") && seconds(in: String(path), ".png") != nil
    }
  }

  /// The time in seconds in a name such as `41254925_3391.246.png`.
  static func seconds(in name: String, _ ending: String) -> Double? {
    guard name.hasSuffix(ending) else { return nil }
    let stem = name.dropLast(ending.count)
    let digits = stem.suffix(from: stem.lastIndex { $0 == "_" || $0 == "/" } ?? stem.startIndex)
      .dropFirst()
    guard digits.utf8.count <= 20,
      digits.utf8.allSatisfy({ 48...57 ~= $0 || $0 == UInt8(ascii: ".") })
    else { return nil }
    return Double(digits).flatMap { $0.isFinite ? $0 : nil }
  }

  static func recording(
    from folder: any CaptureFolder, limits: ReadingLimits
  ) throws(CaptureReadingError) -> Recording {
    guard let path = path(folder) else {
      throw CaptureReadingError(.missing, path: [name], expected: signs, found: "none")
    }
    let video = Subfolder(folder, path: path)
    let files = ARKitScenesFiles(video.fileNames)
    let depth = files.stream("lowres_depth", ".png").sorted { ($0.0, $0.1) < ($1.0, $1.1) }
    try limits.require(depth.count, atMost: limits.sequenceFrames, "frames")
    let times = depth.map(\.seconds)
    var findings = Recording.findings(ofTimes: times, names: depth.map(\.name))
    let (poses, poseFindings) = try poses(of: video, limits: limits)
    findings += poseFindings
    let names = Recording.frameNames(ofPaths: depth.map(\.name))
    let streams = Streams(video: video, files: files, depth: depth.map(\.name), poses: poses)
    findings += streams.findings(names: names, times: times)
    return Recording(
      layout: name,
      frames: zip(names, times).map { RecordedFrame(name: $0, timestampSeconds: $1) },
      worldAxes: .zUp, findings: findings
    ) { index, request throws(CaptureReadingError) in
      let frame = try streams.frame(at: index, seconds: times[index], limits: limits)
      return try frame.capture(from: video, limits: limits, color: request)
    }
  }

  /// The files that belong to a video's depth maps, by time.
  private struct Streams: Sendable {
    let video: Subfolder
    let depth: [String]
    let poses: TimedPoses
    let confidence, color, cameras: ARKitScenesLookup
    /// The camera files of the larger images, by folder.
    let own: [String: ARKitScenesLookup]

    init(video: Subfolder, files: ARKitScenesFiles, depth: [String], poses: TimedPoses) {
      self.video = video
      self.depth = depth
      self.poses = poses
      confidence = files.lookup([("confidence", ".png")])
      // The small images have the same rays as the depth maps; the larger ones have the same field
      // of view at other rates.
      color = files.lookup([("lowres_wide", ".png"), ("vga_wide", ".png"), ("wide", ".png")])
      cameras = files.lookup([
        ("lowres_wide_intrinsics", ".pincam"), ("vga_wide_intrinsics", ".pincam"),
        ("wide_intrinsics", ".pincam"),
      ])
      own = [
        "vga_wide": files.lookup([("vga_wide_intrinsics", ".pincam")]),
        "wide": files.lookup([("wide_intrinsics", ".pincam")]),
      ]
    }

    /// The findings about frames that lack something.
    func findings(names: [String], times: [Double]) -> [Finding] {
      func lacking(_ isMissing: (Double) -> Bool) -> [String] {
        zip(names, times).filter { isMissing($0.1) }.map(\.0)
      }
      return [
        Recording.finding(
          .sequencePosesMissing, .note,
          lacking { poses.worldFromCamera(near: $0, within: ARKitScenesLayout.tolerance) == nil },
          of: names.count,
          lack: "have no pose within 5 ms; none is interpolated, since a hand moves by more than "
            + "the sensor's error between two of them"),
        Recording.finding(
          .sequenceIncompleteFrames, .note, lacking { color(names: $0) == nil }, of: names.count,
          lack: "have no color image within 5 ms"),
        Recording.finding(
          .sequenceIncompleteFrames, .caution, lacking { cameras(names: $0) == nil },
          of: names.count, lack: "have no intrinsics within 5 ms"),
      ].compactMap(\.self)
    }

    /// One frame with the files of its time and its cameras.
    func frame(
      at index: Int, seconds time: Double, limits: ReadingLimits
    ) throws(CaptureReadingError) -> PosedFrame {
      var frame = PosedFrame(source: .apple(.lidar, .arkit))
      frame.timestampSeconds = time
      frame.worldFromCamera = poses.worldFromCamera(near: time, within: ARKitScenesLayout.tolerance)
      frame.depthFile = PosedFrame.DepthFile(png: depth[index])
      frame.confidenceFile = confidence(names: time)
      frame.colorFile = color(names: time)
      try ARKitScenesLayout.readCamera(cameras(names: time), video, limits, &frame)
      // A larger image has its own camera file.
      if let stream = frame.colorFile?.prefix(while: { $0 != "/" }),
        let cameras = own[String(stream)]
      {
        var colorFrame = PosedFrame(source: frame.source)
        try ARKitScenesLayout.readCamera(cameras(names: time), video, limits, &colorFrame)
        frame.colorCalibration = colorFrame.calibration
        frame.findings += colorFrame.findings
      }
      return frame
    }
  }

  private static func readCamera(
    _ file: String?, _ folder: any CaptureFolder, _ limits: ReadingLimits,
    _ frame: inout PosedFrame
  ) throws(CaptureReadingError) {
    guard let file else { return }
    // The file has one line of six numbers.
    let bytes = try folder.firstBytes(of: file, count: 1024)
    var lines = TextLines(bytes[...])
    if let numbers = lines.nextFields().flatMap({ TextLines.numbers($0) }), numbers.count == 6,
      let size = RecordedCalibration.size(Array(numbers[..<2])),
      let intrinsics = PinholeIntrinsics(
        fx: numbers[2], fy: numbers[3], cx: numbers[4], cy: numbers[5], size: size)
    {
      frame.calibration = CameraCalibration(intrinsics: intrinsics)
    } else {
      frame.findings.append(
        Finding(
          .calibrationDamaged, .caution, "the camera file is not “width height fx fy cx cy”",
          evidence: printable(text: file)))
    }
  }
}
