import PlumblineImages
import PlumblineIO
import PlumblineModel

/// The lists of a TUM folder: lines with a time in seconds and its data.
///
/// - Source: Computer Vision Group TUM, *RGB-D SLAM Dataset and Benchmark*, File formats, and its
///   tool `associate.py`, whose maximum difference of time is 20 ms.
struct TUMLists {
  /// A file and its time.
  struct Entry {
    var seconds: Double
    var file: String
  }

  /// The maximum time difference of entries that belong together, in seconds.
  static let maximumDifference = 0.02

  private var depth: [Entry] = []
  private var color: [Entry] = []
  /// The depth entry of each color entry, if a list states it.
  private var associated: [(depth: Entry, color: Entry)] = []
  /// The camera's poses; `nil` when the folder has none.
  private(set) var poses: TimedPoses?
  /// All comments of the lists.
  private(set) var comments: [String] = []
  /// The findings about the lists and, once the frames are created, about them.
  private(set) var findings: [Finding] = []

  /// Reads the lists; a missing file is skipped.
  ///
  /// - Throws: Errors that concern all frames; a damaged line is skipped.
  init(
    _ files: TUMFolder, _ folder: any CaptureFolder, limits: ReadingLimits
  ) throws(CaptureReadingError) {
    var damaged: [String] = []
    var absent: [String] = []
    func lines(_ name: String?) throws(CaptureReadingError) -> NumberLines.Lines? {
      guard let name else { return nil }
      return try NumberLines(folder.bytes(of: name), limits: limits, path: name).lines
    }
    func entry(_ line: NumberLines.Line, at place: Int = 0) -> Entry? {
      guard line.count >= place + 2, let time = line.number(at: place) else {
        damaged.append(line.joined(separator: " "))
        return nil
      }
      let file = files.prefix + line[place + 1]
      guard files.names.contains(file) else {
        absent.append(file)
        return nil
      }
      return Entry(seconds: time, file: file)
    }
    for name in [files.depthList, files.colorList, files.associations, files.groundTruth] {
      guard let name else { continue }
      let start = try folder.firstBytes(of: name, count: 4096)
      comments += try NumberLines(start, limits: limits, path: name).comments.map(String.init)
    }
    if let lines = try lines(files.depthList) { depth = lines.compactMap { entry($0) } }
    if let lines = try lines(files.colorList) { color = lines.compactMap { entry($0) } }
    if depth.isEmpty, let lines = try lines(files.associations) {
      for line in lines {
        guard line.count >= 4, let first = entry(line), let second = entry(line, at: 2) else {
          continue
        }
        let isDepthFirst = first.file.contains("depth/")
        associated.append(isDepthFirst ? (first, second) : (second, first))
      }
    }
    try limits.require(
      depth.count + associated.count, atMost: limits.sequenceFrames, "frames")
    if let lines = try lines(files.groundTruth) { poses = Self.poses(lines, &damaged) }
    if !damaged.isEmpty {
      findings.append(
        Finding(
          .fileDamagedMetadata, .caution, "\(damaged.count) lines of the lists cannot be read",
          evidence: Recording.list(damaged.map { String($0.prefix(60)) })))
    }
    if !absent.isEmpty {
      findings.append(
        Finding(
          .sequenceIncompleteFrames, .caution, "\(absent.count) files of the lists are not there",
          evidence: Recording.list(absent)))
    }
  }

  /// Poses from lines of a ``TUMTrajectory``; lines without a valid pose are added to `damaged`.
  private static func poses(_ lines: NumberLines.Lines, _ damaged: inout [String]) -> TimedPoses {
    var poses: [(seconds: Double, worldFromCamera: RigidTransform)] = []
    for line in lines {
      guard let pose = TUMTrajectory.pose(line) else {
        damaged.append(line.joined(separator: " "))
        continue
      }
      poses.append((pose.seconds, pose.worldFromCamera))
    }
    return TimedPoses(poses)
  }

  /// Creates the frames in time order, one for each depth map.
  mutating func frames() -> [PairedFrame] {
    var frames: [PairedFrame] = associated.map { depth, color in
      PairedFrame(
        name: "", depthFile: depth.file, colorFile: color.file, timestampSeconds: depth.seconds)
    }
    if associated.isEmpty {
      let colors = nearestColors()
      frames = depth.indices.map { index in
        PairedFrame(
          name: "", depthFile: depth[index].file, colorFile: colors[index],
          timestampSeconds: depth[index].seconds)
      }
    }
    let names = Recording.frameNames(
      ofFiles: frames.map { frame in
        let path = FolderPath(frame.depthFile ?? "")
        return "\(path.stem).\(path.ending)"
      })
    for index in frames.indices { frames[index].name = names[index] }
    let times = frames.compactMap(\.timestampSeconds)
    let back = zip(times, times.dropFirst()).filter { $0 > $1 }.count
    if back > 0 {
      findings.append(
        Finding(
          .sequenceClockBackwards, .caution,
          "the list of depth maps goes back in time (\(back) ×); frames are put in order",
          evidence: "depth.txt", correction: .applied))
    }
    // Names must be unique, but a list may repeat a file.
    var seen: Set<String> = []
    let unique = frames.filter { seen.insert($0.name).inserted }
    if unique.count < frames.count {
      findings.append(
        Finding(
          .sequenceRepeatedFrames, .caution,
          "\(frames.count - unique.count) lines repeat a depth map and are left aside",
          evidence: "depth.txt"))
    }
    return unique.sortedByTime { $0.timestampSeconds ?? 0 }
  }

  /// The color image nearest in time to each depth map; each image is used once, nearest pairs
  /// first.
  private func nearestColors() -> [Int: String] {
    let sorted = color.sorted { ($0.seconds, $0.file) < ($1.seconds, $1.file) }
    let times = sorted.map(\.seconds)
    var candidates: [(difference: Double, depth: Int, color: Int)] = []
    for (index, entry) in depth.enumerated() {
      let next = times.firstSortedIndex { $0 >= entry.seconds }
      // The two neighbors suffice, since both cameras have the same rate.
      for place in [next - 1, next] where times.indices.contains(place) {
        let difference = abs(times[place] - entry.seconds)
        if difference <= Self.maximumDifference { candidates.append((difference, index, place)) }
      }
    }
    candidates.sort { ($0.difference, $0.depth, $0.color) < ($1.difference, $1.depth, $1.color) }
    var used: Set<Int> = []
    var colors: [Int: String] = [:]
    for (_, depth, color) in candidates where colors[depth] == nil {
      if used.insert(color).inserted { colors[depth] = sorted[color].file }
    }
    return colors
  }

  /// Reads lines with a time and three accelerations in m/s²; other lines are counted.
  ///
  /// The sign is assumed to be that of a specific force, upward at rest, as from the Kinect's ROS
  /// driver.
  static func motion(
    _ bytes: [UInt8], limits: ReadingLimits, path: String
  ) throws(CaptureReadingError) -> RecordedMotion {
    var motion = RecordedMotion()
    for line in try NumberLines(bytes, limits: limits, path: path).lines {
      guard line.count == 4, let n = line.numbers else {
        motion.addUnreadable(line.joined(separator: " "))
        continue
      }
      var sample = MotionSample(timestampSeconds: n[0])
      sample.specificForce = [n[1], n[2], n[3]]
      motion.samples.append(sample)
    }
    motion.samples = motion.samples.sortedByTime(\.timestampSeconds)
    return motion
  }
}
