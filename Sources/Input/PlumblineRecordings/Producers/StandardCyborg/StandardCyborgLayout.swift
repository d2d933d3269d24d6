import PlumblineIO
import PlumblineImages
import PlumblineModel

/// The folders of ``StandardCyborgFolder``.
enum StandardCyborgLayout: RecordingLayout {
  static let name = StandardCyborgFrame.layout
  static let signs = "PLY files with depths, one a frame"

  static func recognizes(
    _ folder: any CaptureFolder, names: Set<String>, limits: ReadingLimits
  ) throws(CaptureReadingError) -> Bool {
    try StandardCyborgFolder(folder, limits: limits) != nil
  }

  static func recording(
    from folder: any CaptureFolder, limits: ReadingLimits
  ) throws(CaptureReadingError) -> Recording {
    guard let frames = try StandardCyborgFolder(folder, limits: limits) else {
      throw CaptureReadingError(
        .missing, path: [name], expected: "PLY files with depths", found: "none")
    }
    let names = frames.fileNames
    let colorFiles = frames.colorFiles
    let motion = StandardCyborgMotion.reader(folder, limits: limits)
    return Recording(
      layout: name,
      frames: zip(Recording.frameNames(ofFiles: names), frames.timestampsSeconds).map {
        RecordedFrame(name: $0, timestampSeconds: $1)
      },
      // Core Motion's reference frame has a vertical z axis; the frames themselves have no poses.
      worldAxes: motion == nil ? .unknown : .zUp, findings: frames.findings, motion: motion
    ) { index, color throws(CaptureReadingError) in
      let name = names[index]
      var capture: Capture
      do throws(CaptureReadingError) {
        capture = try StandardCyborgFrame(try folder.bytes(of: name)[...], limits: limits)
          .capture(color: colorFiles[name] == nil ? color : .none)
      } catch {
        throw error.inside(name)
      }
      if let colorFile = colorFiles[name] {
        try ColorFile(name: colorFile, folder: folder, limits: limits, request: color)
          .add(to: &capture)
      }
      return capture
    }
  }
}

/// A folder of PLY depth frames, sorted by their own clock.
struct StandardCyborgFolder {
  /// The names of the frame files.
  private(set) var fileNames: [String] = []
  /// The time of each frame on the device's clock, in seconds; `nil` if it cannot be read.
  private(set) var timestampsSeconds: [Double?] = []
  /// The separate color image of each frame, which newer apps write.
  private(set) var colorFiles: [String: String] = [:]
  private(set) var findings: [Finding] = []

  /// Reads the start of each PLY file in the folder.
  ///
  /// - Returns: `nil` if none of them is a depth frame.
  init?(_ folder: any CaptureFolder, limits: ReadingLimits) throws(CaptureReadingError) {
    var times: [(name: String, seconds: Double?)] = []
    var others: [String] = []
    for name in folder.fileNames where name.lowercased().hasSuffix(".ply") {
      // The metadata follow the header directly and have 3 kB; longer ones require the whole file.
      let start = try folder.firstBytes(of: name, count: 64 << 10)
      guard let header = try? PLYHeader(start[...], limits: limits),
        StandardCyborgFrame.recognizes(header)
      else {
        others.append(name)
        continue
      }
      let time = (try? StandardCyborgFrame(start[...], limits: limits))?.timestampSeconds
      times.append((name, time))
      try limits.require(times.count, atMost: limits.sequenceFrames, "frames")
    }
    guard !times.isEmpty else { return nil }
    if times.contains(where: { $0.seconds == nil }) {
      times.sort { NaturalOrder.precedes($0.name, $1.name) }
    } else {
      times.sort { ($0.seconds ?? 0, $0.name) < ($1.seconds ?? 0, $1.name) }
    }
    fileNames = times.map(\.name)
    timestampsSeconds = times.map(\.seconds)
    findings = Recording.findings(ofTimes: timestampsSeconds, names: fileNames)
    // A set, since searching all names for each of 36,000 frames takes minutes.
    let present = Set(folder.fileNames)
    for name in fileNames {
      let stem = name.dropLast(4)
      colorFiles[name] = ["\(stem).jpeg", "\(stem).jpg"].first(where: present.contains)
    }
    if !others.isEmpty {
      findings.append(
        Finding(
          .sequenceOtherFiles, .note, "\(others.count) PLY files are no depth frames",
          evidence: Recording.list(others)))
    }
  }
}

/// The list `motion-data.json` beside StandardCyborg's frames: Core Motion's device motion, 100 Hz.
///
/// - Source: Apple, *CMDeviceMotion*: the sum of gravity and user acceleration is the device's
///   acceleration in g, which points to the ground at rest; the attitude is relative to a frame
///   with a vertical z axis.
enum StandardCyborgMotion {
  static let file = "motion-data.json"

  /// A reader of the list; `nil` if it does not exist.
  static func reader(_ folder: any CaptureFolder, limits: ReadingLimits) -> Recording.MotionReader?
  {
    guard folder.fileNames.contains(file) else { return nil }
    return { () throws(CaptureReadingError) -> RecordedMotion in
      let root = try RecordedJSON(
        parsing: folder.bytes(of: file)[...], limits: limits, path: [file])
      guard let elements = root.elements else {
        throw CaptureReadingError(
          .malformed, path: [file], expected: "a list of readings", found: root.kind)
      }
      var samples: [MotionSample] = []
      samples.reserveCapacity(elements.count)
      for (index, element) in elements.enumerated() {
        guard let time = element["timestamp"]?.number else {
          throw CaptureReadingError(
            .malformed, path: [file, "\(index)"], expected: "a timestamp", found: element.kind)
        }
        var sample = MotionSample(timestampSeconds: time)
        sample.rotationRate = vector(element, "rotation")
        if let gravity = vector(element, "gravity"), let user = vector(element, "acceleration") {
          sample.specificForce = -(gravity + user) * MotionSample.standardGravity
        }
        if let v = vector(element, "attitude"), let w = element["attitude_w"]?.number {
          sample.worldFromSensor = Rotation(quaternion: SIMD4(v, w))
        }
        samples.append(sample)
      }
      return RecordedMotion(samples: samples.sortedByTime(\.timestampSeconds))
    }
  }

  private static func vector(_ element: RecordedJSON, _ name: String) -> SIMD3<Double>? {
    let parts = ["x", "y", "z"].compactMap { element["\(name)_\($0)"]?.number }
    return parts.count == 3 ? SIMD3(parts[0], parts[1], parts[2]) : nil
  }
}
