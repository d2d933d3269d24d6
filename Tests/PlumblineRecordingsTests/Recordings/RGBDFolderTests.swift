import PlumblineImages
import PlumblineIO
import PlumblineModel
import PlumblineRecordings
import PlumblineTestSupport
import Testing

/// TUM, Open3D and loose folders from bytes, with their times, poses and faults.
struct RGBDFolderTests {
  private static let size = RasterSize(width: 4, height: 3)

  private static func depth(_ code: UInt16, _ size: RasterSize = size) -> [UInt8] {
    PNGEncoder().encoded(Raster<UInt16>(size: size, repeating: code))
  }

  private static func color(_ red: UInt8) -> [UInt8] {
    PNGEncoder().encoded(
      Raster<RGB8>(size: size, repeating: RGB8(red: red, green: 1, blue: 2)))
  }

  private static func text(_ text: String) -> [UInt8] { Array(text.utf8) }

  /// Four depth maps whose lists run backward, with colors 5 ms later and poses 2 ms before.
  static func tum(comment: String = "# file: 'rgbd_dataset_freiburg1_xyz.bag'") -> MemoryFolder {
    var files: [String: [UInt8]] = [:]
    var (depthList, colorList, poses) = ("\(comment)\n", "", "# t tx ty tz qx qy qz qw\n")
    for index in [0, 2, 1, 10] {
      let time = 1_305_031_102.175 + 0.033 * Double(index)
      files["depth/\(index).png"] = depth(UInt16(5000 + index))
      files["rgb/\(index).png"] = color(UInt8(index))
      depthList += "\(time) depth/\(index).png\n"
      colorList += "\(time + (index == 10 ? 0.021 : 0.005)) rgb/\(index).png\n"
      if index != 1 { poses += "\(time - 0.002) \(index) 2 3 0 0 0.7071068 0.7071068\n" }
    }
    files["depth.txt"] = text(depthList)
    files["rgb.txt"] = text(colorList)
    files["groundtruth.txt"] = text(poses)
    files["accelerometer.txt"] = text("# t ax ay az\n2.5 0.1 9.8 -0.2\n1.5 0 9.7 0\n")
    return MemoryFolder(files)
  }

  @Test func tumFramesAreInTheOrderOfTheirTimes() throws {
    let recording = try Recording(folder: Self.tum())
    #expect(recording.layout == "TUM RGB-D")
    #expect(recording.frameNames == ["0", "1", "2", "10"])
    #expect(recording.findings.map(\.code).contains(.sequenceClockBackwards))
    #expect(recording.findings.map(\.code).contains(.sequencePosesMissing))
    let captures = try (0..<4).map { try recording.capture(at: $0) }
    for (capture, index) in zip(captures, [0, 1, 2, 10]) {
      guard case .depth(let map)? = capture.depth?.values else { return }
      // 5000 codes are a meter.
      #expect(map.meters[1, 1] == Float(Double(5000 + index) / 5000))
      #expect(capture.timestampSeconds == 1_305_031_102.175 + 0.033 * Double(index))
    }
    // The last color is 21 ms away: one more than the benchmark's tool allows.
    #expect(captures.map { $0.color?[0, 0].red } == [0, 1, 2, nil])
    // A quarter turn about z takes x to y.
    let pose = try #require(captures[2].worldFromCamera)
    let moved = pose * [1, 0, 0]
    #expect(abs(moved.x - 2) < 1e-6 && abs(moved.y - 3) < 1e-6 && abs(moved.z - 3) < 1e-6)
    // A third of a second away from the nearest pose.
    #expect(captures[1].worldFromCamera == nil)
  }

  @Test func tumMotionIsAForce() throws {
    let samples = try Recording(folder: Self.tum()).motion().samples
    #expect(samples.map(\.timestampSeconds) == [1.5, 2.5])
    #expect(samples.map(\.specificForce) == [[0, 9.7, 0], [0.1, 9.8, -0.2]])
  }

  @Test func unreadableMotionIsCounted() throws {
    var folder = Self.tum()
    folder.files["accelerometer.txt"] = Self.text(
      "# t ax ay az\n2.5 0.1 9.8\n1.5 0 9.7 0\nx 1 2 3\n")
    let motion = try Recording(folder: folder).motion()
    #expect(motion.samples.map(\.timestampSeconds) == [1.5])
    #expect(motion.unreadableCount == 2 && motion.firstUnreadable == "2.5 0.1 9.8")
    #expect(motion.findings.map(\.code) == [.sequenceMotionDamaged])
  }

  @Test func tumCamerasAreSaidToBeAssumed() throws {
    let large = RasterSize(width: 640, height: 480)
    var folder = Self.tum()
    for index in [0, 2, 1, 10] { folder.files["depth/\(index).png"] = Self.depth(7, large) }
    let recording = try Recording(folder: folder)
    #expect(recording.findings.map(\.code).contains(.calibrationAssumed))
    let camera = try #require(recording.capture(at: 0, color: .none).depth?.calibration)
    #expect(camera.intrinsics.focalLength == [517.3, 516.5])
    #expect(camera.intrinsics.principalPoint == [318.6, 255.3])
    // k1 of the first camera at a normalized radius of 0.1 moves a point outward by 0.25 %.
    #expect(camera.distortion != nil)
    // Nothing is assumed for a camera that is not named, or where the folder has its own.
    for folder in [Self.tum(comment: "# mine"), Self.tumWithCalibration()] {
      let recording = try Recording(folder: folder)
      #expect(!recording.findings.map(\.code).contains(.calibrationAssumed))
    }
    #expect(
      try Recording(folder: Self.tumWithCalibration()).capture(at: 0, color: .none)
        .depth?.calibration?.intrinsics.principalPoint == [1.5, 1])
  }

  private static func tumWithCalibration() -> MemoryFolder {
    var folder = tum()
    folder.files["calibration.txt"] = text("4 4.5 1.5 1\n")
    return folder
  }

  @Test func tumAssociationsStandAlone() throws {
    var folder = Self.tum()
    folder.files["depth.txt"] = nil
    folder.files["associations.txt"] = Self.text(
      "1.0 rgb/2.png 1.01 depth/1.png\n2.0 rgb/0.png 2.01 depth/2.png\n3 rgb/0.png 3 depth/9.png\n")
    let recording = try Recording(folder: folder)
    #expect(recording.frameNames == ["1", "2"])
    #expect(recording.frames.map(\.timestampSeconds) == [1.01, 2.01])
    #expect(try recording.capture(at: 0).color?[0, 0].red == 2)
    #expect(recording.findings.map(\.code).contains(.sequenceIncompleteFrames))
  }

  /// Three frames whose names count up to 10, so that text order would be wrong.
  static func open3D() -> MemoryFolder {
    var files: [String: [UInt8]] = [:]
    for index in [1, 2, 10] {
      files["depth/\(index).png"] = depth(UInt16(1000 * index))
      files["image/\(index).png"] = color(UInt8(index))
    }
    files["intrinsic.json"] = text(
      #"{"width": 4, "height": 3, "intrinsic_matrix": [4, 0, 0, 0, 4.5, 0, 1.5, 1, 1]}"#)
    files["trajectory.log"] = text(
      "0 0 1\n1 0 0 1\n0 1 0 2\n0 0 1 3\n0 0 0 1\n2 2 3\n0 -1 0 4\n1 0 0 5\n0 0 1 6\n0 0 0 1\n")
    return MemoryFolder(files)
  }

  @Test func open3DFramesFollowTheirNumbers() throws {
    let recording = try Recording(folder: Self.open3D())
    #expect(recording.layout == "Open3D RGB-D folder")
    #expect(recording.frameNames == ["1", "2", "10"])
    #expect(recording.findings.map(\.code) == [.sequencePosesMissing, .sequenceTimeUnknown])
    let captures = try (0..<3).map { try recording.capture(at: $0) }
    #expect(captures.map { $0.color?[0, 0].red } == [1, 2, 10])
    #expect(captures.map { $0.worldFromCamera?.translation } == [[1, 2, 3], nil, [4, 5, 6]])
    let camera = try #require(captures[0].depth?.calibration?.intrinsics)
    #expect(camera.focalLength == [4, 4.5] && camera.principalPoint == [1.5, 1])
  }

  @Test func damageCostsOneFrameOrOneField() throws {
    var folder = Self.open3D()
    folder.files["depth/2.png"]?.removeLast(20)
    folder.files["depth/10.png"] = Self.depth(5, RasterSize(width: 6, height: 3))
    folder.files["intrinsic.json"] = Self.text("{")
    folder.files["trajectory.log"] = Self.text("0 0 1\n1 0 0 1\n")
    let recording = try Recording(folder: folder)
    #expect(recording.findings.filter { $0.code == .fileDamagedMetadata }.count == 2)
    do throws(CaptureReadingError) {
      _ = try recording.capture(at: 1)
      Issue.record("read")
    } catch { #expect(error.path.first == "depth/2.png", "\(error)") }
    // Mixed sizes: reported at the frame, with the numbers.
    #expect(try recording.capture(at: 2).findings.map(\.code) == [.fileUnequalSizes])
    #expect(try recording.capture(at: 0).findings.isEmpty)
  }

  @Test func sunFoldersAreBelievedOnlyWithTheirBits() throws {
    var folder = Self.open3D()
    folder.files["intrinsic.json"] = nil
    folder.files["intrinsics.txt"] = Self.text("4 0 1.5 0 4.5 1 0 0 1")
    folder.files["scene.txt"] = Self.text("office")
    folder.files["depth/1.png"] = Self.depth(2349 << 3)
    let recording = try Recording(folder: folder)
    let capture = try recording.capture(at: 0)
    guard case .depth(let map)? = capture.depth?.values else { return }
    #expect(map.meters[0, 0] == 2.349)
    #expect(capture.findings.map(\.code) == [.depthEncodingAssumed])
    #expect(capture.depth?.calibration?.intrinsics.principalPoint == [1.5, 1])
    // 10,000 is a multiple of eight as well, so only one that is not can tell.
    folder.files["depth/1.png"] = Self.depth(2349)
    let plain = try Recording(folder: folder).capture(at: 0)
    guard case .depth(let meters)? = plain.depth?.values else { return }
    #expect(meters.meters[0, 0] == 2.349)
    #expect(plain.findings.map(\.severity) == [.caution])
  }

  @Test func loosePairsFindTheirImages() throws {
    let folder = MemoryFolder([
      "a_depth.png": Self.depth(1001), "a_rgb.png": Self.color(1),
      "b10_depth.png": Self.depth(1003),
      "b10.png": Self.color(3), "b9_depth.PNG": Self.depth(1002), "b9_COLOR.png": Self.color(2),
      "sub/depth.png": Self.depth(1004), "sub/rgb.png": Self.color(4), "note.txt": [],
    ])
    let recording = try Recording(folder: folder)
    #expect(recording.frameNames == ["a", "b9", "b10", "sub"])
    for index in 0..<4 {
      let capture = try recording.capture(at: index)
      guard case .depth(let map)? = capture.depth?.values else { return }
      #expect(map.meters[0, 0] == Float(1001 + index) / 1000)
      #expect(capture.color?[0, 0].red == UInt8(index + 1))
      #expect(capture.findings.map(\.code) == [.depthUnitAssumed])
    }
  }

  @Test func ofSeveralFilesOfOneMapTheFinestIsRead() throws {
    let recording = try Recording(
      folder: MemoryFolder([
        "depth.png": Self.depth(1001), "depth.pgm": Self.text("P5 1 1 65535\n\u{1}\u{2}"),
      ]))
    #expect(recording.frameNames == ["depth"])
    #expect(recording.findings.map(\.code) == [.sequenceOtherFiles, .sequenceIncompleteFrames])
    guard case .depth(let map)? = try recording.capture(at: 0).depth?.values else { return }
    #expect(map.meters[0, 0] == 1.001)
  }

  @Test(arguments: [0, 1, 2])
  func damageNeverTraps(which: Int) throws {
    let sound = [Self.tum(), Self.open3D(), MemoryFolder(["a_depth.png": Self.depth(9)])][which]
    func read(_ folder: MemoryFolder) {
      guard let recording = try? Recording(folder: folder) else { return }
      for index in recording.frames.indices { _ = try? recording.capture(at: index) }
      _ = try? recording.motion().samples
    }
    for name in sound.fileNames {
      for length in ByteDamage.truncations(of: sound.files[name]?.count ?? 0, steps: 8) {
        var folder = sound
        folder.files[name] = Array(sound.files[name]?.prefix(length) ?? [])
        read(folder)
      }
      for seed in 0..<8 {
        var folder = sound
        folder.files[name] = ByteDamage.flipped(sound.files[name] ?? [], seed: UInt64(seed))
        read(folder)
      }
    }
  }
}
