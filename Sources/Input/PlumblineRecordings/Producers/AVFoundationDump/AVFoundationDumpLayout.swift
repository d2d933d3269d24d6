import PlumblineIO
import PlumblineImages
import PlumblineModel

/// The folders of ``AVFoundationDump``.
enum AVFoundationDumpLayout: RecordingLayout {
  static let name = AVFoundationDump.layout
  static let signs = "DepthMetadata.json, depth_T.png and rgb_T.png"

  static func recognizes(
    _ folder: any CaptureFolder, names: Set<String>, limits: ReadingLimits
  ) throws(CaptureReadingError) -> Bool {
    AVFoundationDump.recognizes(folder.topFileNames)
  }

  static func recording(
    from folder: any CaptureFolder, limits: ReadingLimits
  ) throws(CaptureReadingError) -> Recording {
    let dump = try AVFoundationDump(folder, limits: limits)
    let frames = dump.frames
    return Recording(
      layout: name,
      frames: frames.map { frame in
        RecordedFrame(
          name: "\(frame.timestamp)", timestampSeconds: Double(frame.timestamp) / 1000)
      },
      boardSquareMeters: dump.boardSquareMeters, findings: dump.findings,
      motion: DumpedMotion.reader(folder, limits: limits)
    ) { index, color throws(CaptureReadingError) in
      try frames[index].capture(from: folder, limits: limits, color: color)
    }
  }
}

/// A folder of `rgb_T.png`, `depth_T.png` and two metadata files, as the app of the iPad TrueDepth
/// paper writes it; see `Documentation/formats/avfoundation-dump.md`.
struct AVFoundationDump {
  static let layout = "AVFoundation dump"
  private static let depthMetadata = "DepthMetadata.json"
  private static let cameraMetadata = "CameraMetadata.json"
  private static let squareSide = "checkersize.txt"

  /// The frames by time.
  private(set) var frames: [AVFoundationDumpFrame] = []
  private(set) var boardSquareMeters: Double?
  private(set) var findings: [Finding] = []

  /// Whether a folder is such a dump, by its file names.
  static func recognizes(_ fileNames: [String]) -> Bool {
    fileNames.contains {
      [depthMetadata, cameraMetadata].contains($0) || timestamp(in: $0, after: "depth_") != nil
    }
  }

  /// Matches files and metadata by their timestamps; reads no image.
  ///
  /// - Throws: `.missing` when there is no image at all; errors of the folder's files.
  init(_ folder: any CaptureFolder, limits: ReadingLimits) throws(CaptureReadingError) {
    var byTime: [Int: AVFoundationDumpFrame] = [:]
    var repeated: [String] = []
    var others = 0
    for name in folder.fileNames {
      if let time = Self.timestamp(in: name, after: "depth_") {
        if byTime[time]?.depthFile != nil { repeated.append(name) }
        byTime[time, default: AVFoundationDumpFrame(timestamp: time)].depthFile =
          byTime[time]?.depthFile ?? name
      } else if let time = Self.timestamp(in: name, after: "rgb_") {
        if byTime[time]?.colorFile != nil { repeated.append(name) }
        byTime[time, default: AVFoundationDumpFrame(timestamp: time)].colorFile =
          byTime[time]?.colorFile ?? name
      } else if !([Self.depthMetadata, Self.cameraMetadata, Self.squareSide] + DumpedMotion.files)
        .contains(name)
      {
        others += 1
      }
    }
    try limits.require(byTime.count, atMost: limits.sequenceFrames, "frames")
    guard !byTime.isEmpty else {
      throw CaptureReadingError(
        .missing, path: [Self.layout], expected: "images named depth_T.png and rgb_T.png",
        found: "metadata without images in \(folder.fileNames.count) files")
    }
    let depth = try entries(of: Self.depthMetadata, folder, limits, &repeated)
    let camera = try entries(of: Self.cameraMetadata, folder, limits, &repeated)
    for (time, entry) in depth { byTime[time]?.depthMetadata = entry }
    for (time, entry) in camera { byTime[time]?.cameraMetadata = entry }
    frames = byTime.values.sorted { $0.timestamp < $1.timestamp }
    boardSquareMeters = try side(folder)
    let orphans = Set(depth.keys).union(camera.keys).subtracting(byTime.keys)
    addIncomplete(orphans.sorted())
    if !repeated.isEmpty {
      findings.append(
        Finding(
          .sequenceRepeatedFrames, .caution,
          "\(repeated.count) files or entries repeat a timestamp and are left aside",
          evidence: Recording.list(repeated)))
    }
    if others > 0 {
      findings.append(
        Finding(
          .sequenceOtherFiles, .note, "\(others) other files are left aside",
          evidence: "no image and no metadata of the layout"))
    }
  }

  private mutating func addIncomplete(_ orphans: [Int]) {
    func add(_ names: [String], _ severity: Finding.Severity, _ what: String) {
      findings += [
        Recording.finding(
          .sequenceIncompleteFrames, severity, names, of: frames.count, lack: what)
      ].compactMap(\.self)
    }
    func names(_ isMissing: (AVFoundationDumpFrame) -> Bool) -> [String] {
      frames.filter(isMissing).map { "\($0.timestamp)" }
    }
    add(names { $0.depthFile == nil }, .caution, "have no depth map")
    add(names { $0.colorFile == nil }, .note, "have no color image")
    add(names { $0.depthMetadata == nil }, .caution, "have no entry in \(Self.depthMetadata)")
    add(names { $0.cameraMetadata == nil }, .note, "have no entry in \(Self.cameraMetadata)")
    if !orphans.isEmpty {
      findings.append(
        Finding(
          .sequenceIncompleteFrames, .note,
          "\(orphans.count) entries of metadata have no image",
          evidence: Recording.list(orphans.map(String.init))))
    }
  }

  /// The entries of one metadata file by timestamp; damage loses the metadata, not the folder.
  private mutating func entries(
    of name: String, _ folder: any CaptureFolder, _ limits: ReadingLimits,
    _ repeated: inout [String]
  ) throws(CaptureReadingError) -> [Int: RecordedJSON] {
    guard folder.fileNames.contains(name) else { return [:] }
    let root: RecordedJSON
    do throws(CaptureReadingError) {
      root = try RecordedJSON(
        parsing: try folder.bytes(of: name)[...], limits: limits, path: [name])
    } catch {
      if error.refusesFile { throw error }
      findings.append(.damagedMetadata(name, error))
      return [:]
    }
    var entries: [Int: RecordedJSON] = [:]
    var unusable = 0
    // A recording of one frame may contain it without an enclosing list.
    for entry in root.elements ?? [root] {
      guard let time = entry["Timestamp"]?.integer else {
        unusable += 1
        continue
      }
      if entries[time] == nil {
        entries[time] = entry
      } else {
        repeated.append("\(time) in \(name)")
      }
    }
    if unusable > 0 {
      findings.append(
        Finding(
          .fileDamagedMetadata, .caution,
          "\(unusable) entries of \(name) are no objects with a whole Timestamp",
          evidence: root.kind))
    }
    return entries
  }

  /// The side of the board's squares in meters; the file has it in centimeters.
  private mutating func side(_ folder: any CaptureFolder) throws(CaptureReadingError) -> Double? {
    guard folder.fileNames.contains(Self.squareSide) else { return nil }
    let text = String(decoding: try folder.bytes(of: Self.squareSide).prefix(64), as: UTF8.self)
    let number = text.split(whereSeparator: \.isWhitespace).first.flatMap { Double($0) }
    guard let number, (0.01...100).contains(number) else {
      findings.append(
        Finding(
          .fileDamagedMetadata, .caution,
          "\(Self.squareSide) holds no length from 0.01 to 100 cm",
          evidence: printable(text: text.prefix(40))))
      return nil
    }
    // To millimeters first: the result for 2.0875 cm is then exactly 20.875 mm / 1000.
    return number * 10 / 1000
  }

  /// The number in a name such as `depth_143277.png`.
  private static func timestamp(in name: String, after prefix: String) -> Int? {
    guard name.hasPrefix(prefix), name.lowercased().hasSuffix(".png") else { return nil }
    return Int(digits: name.dropFirst(prefix.count).dropLast(4), atMost: 19)
  }
}

/// The two motion lists of an AVFoundation dump: lines `T x y z`, `T` in milliseconds.
///
/// Accelerations are Apple's in m/s² with Apple's sign: upright at rest they are −9.8 along y, so
/// the specific force is their negative. Rotation rates are in radians per second.
enum DumpedMotion {
  static let accelerometer = "Accelerometer.txt"
  static let gyroscope = "Gyroscope.txt"
  static let files = [accelerometer, gyroscope]

  /// A reader of both lists; `nil` if neither exists.
  static func reader(_ folder: any CaptureFolder, limits: ReadingLimits) -> Recording.MotionReader?
  {
    let names = folder.fileNames
    let present = files.filter(names.contains)
    guard !present.isEmpty else { return nil }
    return { () throws(CaptureReadingError) -> RecordedMotion in
      var samples: [MotionSample] = []
      for name in present {
        let lines = try NumberLines(folder.bytes(of: name), limits: limits, path: name).lines
        for (index, fields) in lines.enumerated() {
          guard fields.count == 4, let n = fields.numbers else {
            throw CaptureReadingError(
              .malformed, path: [name, "line \(index + 1)"], expected: "T x y z",
              found: printable(text: fields.joined(separator: " ").prefix(60)))
          }
          var sample = MotionSample(timestampSeconds: n[0] / 1000)
          let vector = SIMD3(n[1], n[2], n[3])
          if name == accelerometer {
            sample.specificForce = -vector
          } else {
            sample.rotationRate = vector
          }
          // The app's lists sometimes repeat a sample.
          if samples.last != sample { samples.append(sample) }
        }
      }
      // Samples with equal times keep the order of the lists.
      return RecordedMotion(samples: samples.sortedByTime(\.timestampSeconds))
    }
  }
}
