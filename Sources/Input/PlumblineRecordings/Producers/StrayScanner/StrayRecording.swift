import PlumblineImages
import PlumblineIO
import PlumblineModel

/// The data that all frames of a Stray Scanner recording share.
struct StrayRecording: Sendable {
  let folder: any CaptureFolder
  let limits: ReadingLimits
  /// The path of the video.
  let videoName: String
  /// The video reader; `nil` if there is no video or its index is damaged.
  let video: VideoReader?
  /// The intrinsic matrix of the last frame, column-major.
  let cameraMatrix: [Double]?
  private(set) var frames: [StrayFrame] = []
  private(set) var findings: [Finding] = []

  /// The orientation of stored images and maps.
  var orientation: ImageOrientation { video?.video.orientation ?? .up }

  /// Reads the lists of a recording and the index of its video.
  ///
  /// - Parameters:
  ///   - folder: The files.
  ///   - prefix: The path before its files, such as `71de12f9/`, or empty.
  ///   - limits: The limits for reading.
  ///   - decoding: The video decoder.
  /// - Throws: `.missing` if there are no rows, and errors of `odometry.csv`.
  init(
    _ folder: any CaptureFolder, prefix: String, limits: ReadingLimits, decoding: any VideoDecoding
  ) throws(CaptureReadingError) {
    self.folder = folder
    self.limits = limits
    videoName = prefix + "rgb.mp4"
    let names = Set(folder.fileNames)
    let odometry: StrayOdometry
    let odometryName = prefix + "odometry.csv"
    do throws(CaptureReadingError) {
      odometry = try StrayOdometry(try folder.bytes(of: odometryName), limits: limits)
    } catch {
      throw error.inside(odometryName)
    }
    guard !odometry.rows.isEmpty else {
      throw CaptureReadingError(
        .missing, path: [odometryName], expected: "rows with poses", found: "none")
    }
    let camera = Self.camera(folder, prefix + "camera_matrix.csv", names, limits)
    cameraMatrix = camera.matrix
    let color = Self.video(folder, videoName, names, limits, decoding)
    video = color.video
    findings = camera.findings + color.findings
    if !odometry.damagedRows.isEmpty {
      findings.append(
        Finding(
          .sequenceIncompleteFrames, .caution,
          "\(odometry.damagedRows.count) rows of \(odometryName) have no frame number",
          evidence: Recording.list(odometry.damagedRows.map { "row \($0)" })))
    }
    let images = pair(odometry.rows)
    collect(odometry.rows, images, prefix, names)
  }

  private static func camera(
    _ folder: any CaptureFolder, _ name: String, _ names: Set<String>, _ limits: ReadingLimits
  ) -> (matrix: [Double]?, findings: [Finding]) {
    guard names.contains(name) else { return (nil, []) }
    let rows = (try? folder.bytes(of: name)).flatMap { bytes in
      try? StrayTable(bytes, mostRows: 16, limits: limits)
    }.map { table in (0..<table.rowCount).map { table.row($0) } }
    let matrix = rows.flatMap { RecordedCalibration.columnMajor($0) }
    if matrix?.allSatisfy(\.isFinite) != true {
      let finding = Finding(
        .calibrationDamaged, .caution, "the intrinsic matrix is not three rows of three numbers",
        evidence: printable(text: name))
      return (nil, [finding])
    }
    return (matrix, [])
  }

  private static func video(
    _ folder: any CaptureFolder, _ name: String, _ names: Set<String>, _ limits: ReadingLimits,
    _ decoding: any VideoDecoding
  ) -> (video: VideoReader?, findings: [Finding]) {
    guard names.contains(name) else {
      let finding = Finding(
        .sequenceIncompleteFrames, .note, "the recording has no video; its frames have no color",
        evidence: printable(text: name))
      return (nil, [finding])
    }
    do throws(CaptureReadingError) {
      let source = try folder.source(of: name)
      let video = try MP4Video(source, limits: limits)
      return (VideoReader(video, source: source, decoding: decoding), [])
    } catch {
      let finding = Finding(
        .fileDamagedImage, .caution, "the video cannot be used, frames have no color: \(error)",
        evidence: printable(text: name))
      return (nil, [finding])
    }
  }

  /// The video images of the rows, with findings.
  private mutating func pair(_ rows: [StrayOdometry.Row]) -> [Int?] {
    guard let video = video?.video else { return Array(repeating: nil, count: rows.count) }
    let times = rows.compactMap(\.timestampSeconds)
    let isAscending = zip(times, times.dropFirst()).allSatisfy { $0 < $1 }
    let videoTimes = video.images.indices.map { video.seconds(of: $0) }
    let pairing = VideoPairing(
      rowTimes: isAscending && times.count == rows.count ? times : [], frames: rows.map(\.frame),
      videoTimes: videoTimes)
    let paired = pairing.images.count { $0 != nil }
    if video.images.count != rows.count {
      let rule =
        switch pairing.rule {
        case .places: "by place"
        case .frameNumbers: "by frame number"
        case .times(let first) where first < 0:
          "by time, the first pose with image \(-first) of the video"
        case .times(let first): "by time, the video's first image with pose \(first)"
        }
      let worst = pairing.worstSeconds.map { "; clocks differ by up to \(($0 * 1000).fixed(1)) ms" }
      findings.append(
        Finding(
          .sequenceFilmMismatch, .caution,
          "the video has \(video.images.count) images, the poses are \(rows.count); \(paired) were "
            + "paired \(rule)\(worst ?? "")", evidence: printable(text: videoName)))
    }
    if video.hasComplexEdits {
      findings.append(
        Finding(
          .sequenceFilmMismatch, .note,
          "the video's edit list repeats or slows parts; images are taken as recorded",
          evidence: printable(text: videoName)))
    }
    return pairing.images
  }

  private mutating func collect(
    _ rows: [StrayOdometry.Row], _ images: [Int?], _ prefix: String, _ names: Set<String>
  ) {
    var seen: Set<Int> = []
    var repeated: [String] = []
    var incomplete: [String] = []
    for (row, image) in zip(rows, images) {
      let name = Self.name(row.frame)
      guard seen.insert(row.frame).inserted else {
        repeated.append(name)
        continue
      }
      var frame = StrayFrame(row: row)
      frame.depthFile = ["png", "npy"].map { "\(prefix)depth/\(name).\($0)" }
        .first(where: names.contains)
      frame.confidenceFile = ["\(prefix)confidence/\(name).png"].first(where: names.contains)
      frame.image = image
      if row.timestampSeconds == nil, let video, let image {
        frame.row.timestampSeconds = video.video.seconds(of: image)
      }
      if frame.depthFile == nil { incomplete.append(name) }
      frames.append(frame)
    }
    if !repeated.isEmpty {
      findings.append(
        Finding(
          .sequenceRepeatedFrames, .caution, "\(repeated.count) poses repeat a frame number",
          evidence: Recording.list(repeated)))
    }
    findings += [
      Recording.finding(
        .sequenceIncompleteFrames, .note, incomplete, of: frames.count, lack: "have no depth map")
    ].compactMap(\.self)
    if rows.contains(where: { $0.timestampSeconds == nil }) {
      let substitute = video == nil ? "are not known" : "are those of the video"
      findings.append(
        Finding(
          .sequenceTimeUnknown, .note, "the poses carry no times; times of frames \(substitute)"))
    }
    let times = frames.compactMap(\.row.timestampSeconds)
    guard times.count == frames.count else { return }
    frames = frames.sortedByTime { $0.row.timestampSeconds ?? 0 }
  }

  /// Six digits, as in the app's file names.
  static func name(_ frame: Int) -> String { frame.digits(atLeast: 6) }
}
