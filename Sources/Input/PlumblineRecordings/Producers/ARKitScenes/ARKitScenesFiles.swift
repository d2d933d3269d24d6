import PlumblineIO
import PlumblineImages
import PlumblineModel
import PlumblineStreams

/// The files of one video, by stream and time.
struct ARKitScenesFiles: Sendable {
  private var byStream: [String: [String]] = [:]

  init(_ names: [String]) {
    for name in names {
      guard let slash = name.utf8.firstIndex(of: UInt8(ascii: "/")) else { continue }
      byStream[String(name[..<slash]), default: []].append(name)
    }
  }

  /// The files of one folder with the times in their names.
  func stream(_ stream: String, _ ending: String) -> [(seconds: Double, name: String)] {
    byStream[stream, default: []].compactMap { name in
      ARKitScenesLayout.seconds(in: name, ending).map { ($0, name) }
    }
  }

  /// Creates a lookup by time that prefers the first of several streams.
  func lookup(_ streams: [(name: String, ending: String)]) -> ARKitScenesLookup {
    ARKitScenesLookup(
      streams.map { self.stream($0.name, $0.ending) }.filter { !$0.isEmpty })
  }
}

/// Files by time, preferred streams first.
struct ARKitScenesLookup: Sendable {
  private let streams: [(times: NearestTime, names: [String])]

  init(_ streams: [[(seconds: Double, name: String)]]) {
    self.streams = streams.map { (NearestTime($0.map(\.seconds)), $0.map(\.name)) }
  }

  /// The file of the first stream that has one within the tolerance.
  func callAsFunction(names seconds: Double) -> String? {
    for (times, names) in streams {
      if let index = times.index(near: seconds, within: ARKitScenesLayout.tolerance) {
        return names[index]
      }
    }
    return nil
  }
}

extension ARKitScenesLayout {
  /// Reads the poses of one video from `lowres_wide.traj`, if it exists; invalid lines become a
  /// finding.
  static func poses(
    of folder: any CaptureFolder, limits: ReadingLimits
  ) throws(CaptureReadingError) -> (poses: TimedPoses, findings: [Finding]) {
    let file = "lowres_wide.traj"
    var poses: [(seconds: Double, worldFromCamera: RigidTransform)] = []
    var damaged: [Int] = []
    var backwards = 0
    if folder.fileNames.contains(file) {
      let bytes = try folder.bytes(of: file)
      var lines = TextLines(bytes[...])
      while let fields = lines.nextFields() {
        guard let n = TextLines.numbers(fields), n.count == 7,
          n.allSatisfy({ abs($0) <= 1e9 }), let rotation = Rotation(axisAngle: [n[1], n[2], n[3]])
        else {
          damaged.append(lines.number)
          continue
        }
        if let last = poses.last, n[0] < last.seconds { backwards += 1 }
        let cameraFromWorld = RigidTransform(rotation: rotation, translation: [n[4], n[5], n[6]])
        poses.append((n[0], cameraFromWorld.inverse))
        try limits.require(poses.count, atMost: limits.sequenceFrames, "poses", path: [file])
      }
    }
    var findings: [Finding] = []
    if !damaged.isEmpty {
      findings.append(
        Finding(
          .fileDamagedMetadata, .caution, "\(damaged.count) lines of the trajectory are no pose",
          evidence: "\(file), line \(damaged[0])"))
    }
    if backwards > 0 {
      findings.append(
        Finding(
          .sequenceClockBackwards, .caution,
          "the clock of the trajectory goes backwards (\(backwards) ×); poses are found by time "
            + "all the same", evidence: file))
    }
    return (TimedPoses(poses), findings)
  }
}
