import PlumblineModel
import PlumblineTestSupport
import Testing
@testable import PlumblineImages
@testable import PlumblineIO
@testable import PlumblineRecordings
@Suite("Stray Scanner recordings")
struct StrayScannerTests {
  private static let depth = PNGEncoder().encoded(
    Raster<UInt16>(size: RasterSize(width: 8, height: 6)) { x, y in UInt16(100 * y + x) })
  private static let confidence = PNGEncoder().encoded(
    Raster<UInt8>(size: RasterSize(width: 8, height: 6)) { x, _ in UInt8(min(x % 4, 2)) })

  /// A recording of the app without a video, its lists given.
  private func folder(_ odometry: String, frames: Int = 2, imu: String? = nil) -> MemoryFolder {
    var folder = MemoryFolder(texts: [
      "odometry.csv": odometry,
      "camera_matrix.csv": "1600.0, 0.0, 955.5\n0.0, 1600.0, 715.25\n0.0, 0.0, 1.0",
    ])
    for frame in 0..<frames {
      folder.files["depth/\(StrayRecording.name(frame)).png"] = Self.depth
      folder.files["confidence/\(StrayRecording.name(frame)).png"] = Self.confidence
    }
    if let imu { folder.files["imu.csv"] = Array(imu.utf8) }
    return folder
  }

  private let timed = """
    timestamp, frame, x, y, z, qx, qy, qz, qw
    10.5, 000000, 1.0, 2.0, 3.0, 1.0, 0.0, 0.0, 0.0
    10.75, 000001, 1.5, 2.0, 3.0, 0.0, 0.0, 0.0, 1.0

    """

  @Test("Depth in millimeters, confidence, poses with the camera's own axes, the matrix's size")
  func reads() throws {
    let recording = try Recording(folder: folder(timed))
    #expect(recording.layout == "Stray Scanner" && recording.worldAxes == .yUp)
    #expect(recording.frameNames == ["000000", "000001"])
    #expect(recording.frames.map(\.timestampSeconds) == [10.5, 10.75])
    #expect(recording.findings.map(\.code) == [.sequenceIncompleteFrames])
    let capture = try recording.capture(at: 0)
    let record = try #require(capture.depth)
    guard case .depth(let map) = record.values else {
      Issue.record("no depth")
      return
    }
    #expect(map.meters[0, 0].isNaN && map.meters[3, 2] == 0.203)
    #expect(record.confidence?.levels[2, 0] == 2 && record.confidence?.levels[3, 0] == 2)
    #expect(record.calibration?.intrinsics.size == RasterSize(width: 1920, height: 1440))
    #expect(record.calibration?.intrinsics.principalPoint == [955.5, 715.25])
    #expect(capture.source.camera == .lidar && capture.color == nil)
    // The app multiplies ARKit's camera (y up, z backward) by half a turn about x before it writes:
    // an ARKit camera that stands upright and looks along −z is written as (1, 0, 0, 0), and a point
    // one meter in front of it lies at −z.
    let worldFromCamera = try #require(capture.worldFromCamera)
    #expect(worldFromCamera * [0, 0, 1] == [1, 2, 2])
    #expect(worldFromCamera * [0, 1, 0] == [1, 1, 3])
  }

  @Test("All layouts of the poses, with and without names, in a folder of an archive")
  func layouts() throws {
    let plain = """
      1.0, 2.0, 3.0, 1.0, 0.0, 0.0, 0.0
      1.5, 2.0, 3.0, 0.0, 0.0, 0.0, 1.0
      """
    for text in [plain, "x, y, z, qx, qy, qz, qw\n" + plain] {
      let recording = try Recording(folder: folder(text))
      #expect(recording.frames.map(\.timestampSeconds) == [nil, nil])
      #expect(recording.findings.map(\.code).contains(.sequenceTimeUnknown))
      #expect(try recording.capture(at: 1).worldFromCamera?.translation == [1.5, 2, 3])
    }
    let rows = """
      10.5, 000000, 1.0, 2.0, 3.0, 1.0, 0.0, 0.0, 0.0, 1500.5, 1501.5, 950.0, 710.0, ,\u{20}
      10.75, 000001, 1.5, 2.0, 3.0, 0.0, 0.0, 0.0, 1.0, , , , , ,\u{20}
      """
    let names =
      "timestamp, frame, x, y, z, qx, qy, qz, qw, fx, fy, cx, cy, distortion_center_x, "
      + "distortion_center_y\n"
    var nested = MemoryFolder()
    for (name, bytes) in folder(names + rows).files { nested.files["71de12f9/\(name)"] = bytes }
    for source in [folder(rows), nested] {
      let recording = try Recording(folder: source)
      let first = try recording.capture(at: 0).depth?.calibration?.intrinsics
      #expect(first?.focalLength == [1500.5, 1501.5] && first?.principalPoint == [950, 710])
      // A row without numbers falls back to the matrix of the last frame.
      let second = try recording.capture(at: 1)
      #expect(second.depth?.calibration?.intrinsics.focalLength == [1600, 1600])
      #expect(second.provenance.contains { "\($0)".contains("shared-intrinsics") })
    }
  }

  @Test("Motion in g or in m/s², told by its length; the sign becomes that of a felt force")
  func motion() throws {
    let names = "timestamp, a_x, a_y, a_z, alpha_x, alpha_y, alpha_z\n"
    for (text, unit) in [
      ("1.5, 0.0, -1.0, 0.0, 0.1, 0.2, 0.3\n", 9.80665), ("1.5, 0, -9.8, 0, 0.1, 0.2, 0.3\n", 9.8),
    ] {
      let recording = try Recording(folder: folder(timed, imu: names + text))
      let samples = try recording.motion().samples
      #expect(samples.count == 1 && samples[0].timestampSeconds == 1.5)
      #expect(samples[0].specificForce == [0, unit, 0])
      #expect(samples[0].rotationRate == [0.1, 0.2, 0.3])
    }
  }

  @Test("Rows of motion without a time or without all numbers are counted and reported")
  func motionWithoutTime() throws {
    let table =
      "timestamp, a_x, a_y, a_z, alpha_x, alpha_y, alpha_z\n1.5, 0, -1, 0, 0.1, 0.2, 0.3\n"
      + "oops, 0, -1, 0, 0.1, 0.2, 0.3\n2.5, 0, -1, 0, 0.1\n"
    let motion = try Recording(folder: folder(timed, imu: table)).motion()
    // What can be read of the third row is kept.
    #expect(motion.samples.map(\.timestampSeconds) == [1.5, 2.5])
    #expect(motion.samples.last?.rotationRate == nil && motion.unreadableCount == 2)
    #expect(motion.firstUnreadable == "row 2 of imu.csv: no time")
    #expect(motion.findings.map(\.code) == [.sequenceMotionDamaged])
  }

  @Test("Arrays of early versions: whole millimeters, fractions of millimeters, meters")
  func arrays() throws {
    func array(_ type: String, _ values: [UInt8]) -> [UInt8] {
      let header = "{'descr': '\(type)', 'fortran_order': False, 'shape': (1, 2), }"
      let padded = header + String(repeating: " ", count: 117 - header.count) + "\n"
      return [0x93] + Array("NUMPY".utf8) + [1, 0, 118, 0] + Array(padded.utf8) + values
    }
    func floats(_ values: Float...) -> [UInt8] {
      values.flatMap { value in
        (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * $0)) }
      }
    }
    for (bytes, wanted) in [
      (array("<u2", [0, 0, 0xDC, 5]), Float(1.5)), (array("<f4", floats(0, 1500)), 1.5),
      (array("<f4", floats(0, 1.5)), 1.5),
    ] {
      var source = folder(timed, frames: 0)
      source.files["depth/000000.npy"] = bytes
      let recording = try Recording(folder: source)
      guard case .depth(let map)? = try recording.capture(at: 0).depth?.values else {
        Issue.record("no depth")
        continue
      }
      #expect(map.meters[0, 0].isNaN && map.meters[1, 0] == wanted)
    }
  }

  @Test("Images are paired by place, by number and by time; a lost first image is found")
  func pairing() {
    let times = (0..<20).map { (index: Int) -> Double in
      let gaps: Double = index >= 13 ? 0.15 : index >= 7 ? 0.1 : 0
      return 100 + Double(index) / 30 + gaps
    }
    let video = times.map { $0 - 100 }
    let frames = Array(0..<20)
    let same = VideoPairing(rowTimes: times, frames: frames, videoTimes: video)
    #expect(same.rule == .places && same.images == frames)
    #expect((same.worstSeconds ?? 1) < 1e-9)
    // ffmpeg drops the first image of the app's videos, as their edit list requests.
    let cut = VideoPairing(rowTimes: times, frames: frames, videoTimes: Array(video.dropFirst()))
    #expect(cut.images == [nil] + (0..<19).map { $0 } && cut.rule == .times(firstRow: 1))
    let ended = VideoPairing(rowTimes: times, frames: frames, videoTimes: Array(video.dropLast(3)))
    #expect(ended.images == (0..<17).map { $0 } + [nil, nil, nil])
    #expect(ended.rule == .times(firstRow: 0))
    let shorter = VideoPairing(
      rowTimes: Array(times[4...]), frames: Array(frames[4...]), videoTimes: video)
    #expect(shorter.rule == .frameNumbers || shorter.rule == .times(firstRow: -4))
    #expect(shorter.images == (4..<20).map { $0 })
    let every = Array(stride(from: 0, to: 20, by: 3))
    let thinned = VideoPairing(
      rowTimes: every.map { times[$0] }, frames: every, videoTimes: video)
    #expect(thinned.rule == .frameNumbers && thinned.images == every)
    let untimed = VideoPairing(rowTimes: [], frames: [2, 40], videoTimes: video)
    #expect(untimed.rule == .frameNumbers && untimed.images == [2, nil])
    #expect(VideoPairing(rowTimes: [1], frames: [0], videoTimes: []).images == [nil])
  }

  @Test("Damaged lists, maps and videos cost themselves; nothing ends the program")
  func hostile() throws {
    var damagedVideo = folder(timed)
    damagedVideo.files["rgb.mp4"] = Array(SampleMP4.video(2).dropLast(40))
    let recording = try Recording(folder: damagedVideo)
    #expect(recording.findings.map(\.code) == [.fileDamagedImage])
    #expect(try recording.capture(at: 0).depth != nil)
    #expect(throws: CaptureReadingError.self) {
      try Recording(folder: folder("timestamp, frame\n1, 2\n"))
    }
    #expect(throws: CaptureReadingError.self) { try Recording(folder: folder("")) }
    var whole = folder(
      timed, imu: "timestamp, a_x, a_y, a_z, alpha_x, alpha_y, alpha_z\n1, 2, 3, 4")
    whole.files["rgb.mp4"] = SampleMP4.video(2)
    for name in whole.files.keys.sorted() {
      let bytes = whole.files[name] ?? []
      for seed in 0..<UInt64(40) {
        var source = whole
        source.files[name] =
          seed < 20
          ? ByteDamage.flipped(bytes, seed: seed)
          : Array(bytes.prefix(bytes.count * Int(seed - 20) / 20))
        guard let recording = try? Recording(folder: source) else { continue }
        _ = try? recording.motion().samples
        for index in recording.frames.indices {
          _ = try? recording.capture(at: index, color: .none)
        }
      }
    }
  }

  @Test("Without ffmpeg depth is read, and a finding names the program and how to install it")
  func withoutDecoder() throws {
    var source = folder(timed)
    source.files["rgb.mp4"] = SampleMP4.video(2)
    struct Absent: VideoDecoding {
      func decoder(for stretch: VideoStretch) throws(ProgramFailure) -> any VideoDecoder {
        throw .absent(program: "ffmpeg")
      }
    }
    let recording = try StrayScannerLayout.recording(
      from: source, limits: ReadingLimits(), decoding: Absent())
    #expect(recording.findings.isEmpty)
    #expect(try recording.capture(at: 1, color: .none).findings.isEmpty)
    let capture = try recording.capture(at: 1)
    #expect(capture.depth != nil && capture.color == nil)
    #expect(capture.colorSize == RasterSize(width: 64, height: 48))
    let finding = try #require(capture.findings.first)
    #expect(finding.code == .sequenceFilmUndecoded)
    #expect(finding.message.contains("apt install ffmpeg"))
  }
}
