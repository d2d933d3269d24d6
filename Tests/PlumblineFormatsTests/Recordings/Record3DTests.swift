import Foundation
import PlumblineModel
import PlumblineTestSupport
import Testing

@testable import PlumblineFormats

@Suite("Record3D")
struct Record3DTests {
  private let frames = SampleCaptures.frames(12)

  private func archive(_ captures: [Capture]) throws -> [UInt8] {
    let output = MemoryOutput()
    var writer = Record3DRecordingWriter(
      file: try output.makeFile("a.r3d"), header: RecordingHeader(origin: "a test"))
    for (index, capture) in captures.enumerated() { try writer.append(capture, name: "\(index)") }
    writer.append(motion: SampleCaptures.motion(frames: 3))
    try writer.finish()
    return try output.folder.bytes(of: "a.r3d")
  }

  /// The files of an archive as a folder, where tests can change them.
  private func folder(_ captures: [Capture]) throws -> MemoryFolder {
    let archive = try ZIPArchive(MemoryBytes(archive(captures)))
    var folder = MemoryFolder()
    for name in archive.fileNames { folder.files[name] = try archive.bytes(of: name) }
    return folder
  }

  private func depth(_ capture: Capture) throws -> Raster<Float> {
    guard case .depth(let map) = try #require(capture.depth).values else {
      throw CaptureReadingError(.missing, expected: "a depth map", found: "another kind")
    }
    return map.meters
  }

  @Test("Returns what was written: depth, confidence, camera, pose and time of each frame")
  func roundTrip() throws {
    let bytes = try archive(frames)
    #expect(try bytes == archive(frames))
    let recording = try #require(try Recording(source: MemoryBytes(bytes)))
    #expect(recording.layout == "Record3D" && recording.findings.isEmpty)
    #expect(recording.frameNames == (0..<12).map(String.init))
    for (index, truth) in frames.enumerated() {
      let capture = try recording.capture(at: index)
      #expect(capture.findings.isEmpty)
      let meters = try depth(capture)
      #expect(meters.samples.map(\.bitPattern) == (try depth(truth)).samples.map(\.bitPattern))
      #expect(capture.depth?.confidence?.levels == truth.depth?.confidence?.levels)
      #expect(capture.depth?.accuracy == .absolute && capture.depth?.storedType == "fdep")
      #expect(capture.depth?.calibration?.intrinsics == truth.depth?.calibration?.intrinsics)
      #expect(capture.timestampSeconds == truth.timestampSeconds)
      #expect(recording.frames[index].timestampSeconds == truth.timestampSeconds)
      let pose = try #require(capture.worldFromCamera)
      let expected = try #require(truth.worldFromCamera)
      #expect(pose.translation == expected.translation)
      // Matrix to quaternion and back: a few roundings of numbers up to 1.
      for (a, b) in [
        (pose.rotation.x, expected.rotation.x), (pose.rotation.y, expected.rotation.y),
        (pose.rotation.z, expected.rotation.z),
      ] { #expect((0..<3).allSatisfy { abs(a[$0] - b[$0]) < 1e-14 }) }
      let color = try #require(capture.color)
      // JPEG of quality 95 on a smooth gradient, in code values.
      #expect(abs(Int(color[20, 30].red) - 60) <= 6 && abs(Int(color[20, 30].green) - 120) <= 6)
    }
    #expect(try recording.capture(at: 3, color: .none).color == nil)
    #expect(try recording.capture(at: 3, color: .none).colorSize == SampleCaptures.colorSize)
  }

  @Test("Opens the folder of maps itself: an archive that lost its metadata holds nothing else")
  func mapsAlone() throws {
    let whole = try folder(Array(frames.prefix(3)))
    var maps = MemoryFolder()
    for (name, bytes) in whole.files where name.hasPrefix("rgbd/") {
      maps.files[String(name.dropFirst(5))] = bytes
    }
    let recording = try Recording(folder: maps)
    #expect(recording.layout == "Record3D")
    #expect(recording.findings.contains { $0.code == .calibrationMissing })
    #expect(recording.frameNames == ["0", "1", "2"])
    #expect(
      try depth(recording.capture(at: 1)).samples.map(\.bitPattern)
        == depth(frames[1]).samples.map(\.bitPattern))
  }

  @Test("Turns a pose to its seven numbers and back, whichever of the four is largest")
  func poses() throws {
    var random = SeededGenerator(seed: 3)
    for _ in 0..<500 {
      let q = (0..<7).map { _ in Double(random.next() % 2_000) / 1_000 - 1 }
      let norm = q[0..<4].reduce(0) { $0 + $1 * $1 }.squareRoot()
      if norm < 0.1 { continue }
      let numbers = q[0..<4].map { $0 / norm } + q[4...]
      let pose = try #require(Record3DPose.worldFromCamera(numbers))
      #expect(pose.rotation.orthogonalityError < 1e-14)
      let back = Record3DPose.numbers(pose)
      // A quaternion and its negative are one turn.
      let sign = zip(back[0..<4], numbers[0..<4]).reduce(0) { $0 + $1.0 * $1.1 } < 0 ? -1.0 : 1
      for index in 0..<7 {
        #expect(abs(back[index] * (index < 4 ? sign : 1) - numbers[index]) < 1e-13)
      }
    }
    // The camera of the identity looks along −z of the world, its image's y down.
    let identity = try #require(Record3DPose.worldFromCamera([0, 0, 0, 1, 0, 0, 0]))
    #expect(identity * [0, 0, 2] == [0, 0, -2] && identity * [0, 1, 0] == [0, -1, 0])
  }

  @Test(
    "Is read by its users' loader as by its own reader",
    .enabled(
      if: PythonPeer.has("liblzfse", "numpy", "PIL"), "\(PythonPeer.absence("pyliblzfse"))"))
  func peer() throws {
    let folder = try TemporaryFolder()
    let bytes = try archive(frames)
    try folder.put(bytes, at: "a.r3d")
    let output = try PythonPeer.run("record3d_values.py", folder.file("a.r3d"))
    let json = try RecordedJSON(parsing: output[...], limits: ReadingLimits())
    #expect(json["size"]?.numbers == [64, 48, 32, 24])
    #expect(json["focal"]?.numbers == [50, 50] && json["center"]?.numbers == [31.25, 24.5])
    #expect(json["fps"]?.number == 30 && json["initPose"]?.numbers == [0, 0, 0, 1, 0, 0, 0])
    #expect(json["icon"]?.numbers == [64, 48])
    let values = try #require(json["frames"]?.elements)
    let recording = try #require(try Recording(source: MemoryBytes(bytes)))
    #expect(values.count == frames.count)
    for (index, value) in values.enumerated() {
      let capture = try recording.capture(at: index)
      let camera = try #require(capture.depth?.calibration?.intrinsics)
      #expect(
        value["camera"]?.numbers == [
          camera.focalLength.x, camera.focalLength.y, camera.principalPoint.x,
          camera.principalPoint.y,
        ])
      #expect(value["seconds"]?.number == capture.timestampSeconds)
      let meters = try depth(capture)
      let sum = meters.samples.reduce(0.0) { $1.isNaN ? $0 : $0 + Double($1) }
      let sums = try #require(value["depth"]?.numbers)
      #expect(sums[0] == Double(meters[7, 5]) && abs(sums[1] - sum) < 1e-9)
      #expect(value["missing"]?.integer == meters.samples.count { $0.isNaN })
      let levels = try #require(capture.depth?.confidence?.levels)
      #expect(
        value["levels"]?.numbers == [
          Double(levels[7, 5]), levels.samples.reduce(0.0) { $0 + Double($1) },
        ])
      let color = try #require(capture.color)
      #expect(abs(Int(value["red"]?.integer ?? -99) - Int(color[20, 30].red)) <= 2)
      // Rows of a matrix whose camera looks along −z with y up: its second and third columns are ours negated.
      let rotation = try #require(value["rotation"]?.numbers)
      let pose = try #require(capture.worldFromCamera)
      for row in 0..<3 {
        #expect(abs(rotation[3 * row] - pose.rotation.x[row]) < 1e-14)
        #expect(abs(rotation[3 * row + 1] + pose.rotation.y[row]) < 1e-14)
        #expect(abs(rotation[3 * row + 2] + pose.rotation.z[row]) < 1e-14)
      }
    }
  }

  /// The metadata of an older recording: no sizes of maps, no times, no numbers for each frame.
  private func setMetadata(_ text: String, _ folder: inout MemoryFolder) {
    folder.files["metadata"] = Array(text.utf8)
  }

  @Test("Reads older recordings, whose maps prove their own size")
  func older() throws {
    var folder = try folder(frames)
    setMetadata(
      "{\"w\":64,\"h\":48,\"fps\":30,\"K\":[50,0,0,0,51,0,31.25,24.5,1]}", &folder)
    let recording = try Recording(folder: folder)
    #expect(recording.findings.map(\.code) == [.sequenceTimeUnknown, .sequencePosesMissing])
    let capture = try recording.capture(at: 6)
    #expect(capture.depth?.size == SampleCaptures.depthSize)
    #expect(capture.timestampSeconds == 0.2 && capture.worldFromCamera == nil)
    let camera = try #require(capture.depth?.calibration?.intrinsics)
    #expect(camera.focalLength == [50, 51] && camera.principalPoint == [31.25, 24.5])
    // Rows instead of columns, as other writers list them.
    setMetadata("{\"w\":64,\"h\":48,\"K\":[50,0,31.25,0,51,24.5,0,0,1]}", &folder)
    #expect(try Recording(folder: folder).capture(at: 6).depth?.calibration?.intrinsics == camera)
    // Neither size is known, or the shape does not fit the count.
    for text in ["{\"fps\":30}", "{\"w\":65,\"h\":48}", "{\"w\":64,\"h\":48,\"dw\":32,\"dh\":23}"] {
      setMetadata(text, &folder)
      let error = #expect(throws: CaptureReadingError.self) {
        try Recording(folder: folder).capture(at: 0)
      }
      #expect(error?.path.first == "rgbd/0.depth" && error?.found.contains("3072 bytes") == true)
    }
  }

  @Test("Tells the sizes and number types of LiDAR and FaceID maps by their bytes")
  func sizes() throws {
    let color = RasterSize(width: 720, height: 960)
    #expect(
      Record3DFrame.size(pixelCount: 192 * 256, shapedAs: color)
        == RasterSize(width: 192, height: 256))
    #expect(
      Record3DFrame.size(pixelCount: 640 * 480, shapedAs: color)
        == RasterSize(width: 480, height: 640))
    #expect(Record3DFrame.size(pixelCount: 192 * 256 * 2, shapedAs: color) == nil)
    let half = (0..<(192 * 256)).flatMap { _ in [0x00, 0x3E] as [UInt8] }
    let folder = MemoryFolder([
      "metadata": Array("{\"w\":720,\"h\":960,\"K\":[700,0,0,0,700,0,360,480,1]}".utf8),
      // Uncompressed, as some writers leave it.
      "rgbd/0.depth": half, "rgbd/1.depth": LZFSE.encoded(half),
      "rgbd/2.depth": LZFSE.encoded(Array(repeating: 0, count: 640 * 480 * 4)),
    ])
    let recording = try Recording(folder: folder)
    for index in [0, 1] {
      let capture = try recording.capture(at: index)
      #expect(capture.depth?.storedType == "hdep" && capture.source.camera == .lidar)
      #expect(try depth(capture)[191, 255] == 1.5)
    }
    let face = try recording.capture(at: 2)
    #expect(face.source.camera == .trueDepth)
    #expect(try depth(face).size == RasterSize(width: 480, height: 640))
    #expect(try depth(face)[0, 0].isNaN)
  }

  @Test("Takes the identity at every frame as no pose, and numbers as numbers")
  func missing() throws {
    var still = frames
    for index in still.indices { still[index].worldFromCamera = nil }
    let untracked = try Recording(folder: folder(still))
    #expect(untracked.findings.map(\.code) == [.sequencePosesMissing])
    #expect(try untracked.capture(at: 0).worldFromCamera == nil)
    var single = frames
    single[5].worldFromCamera = nil
    let mixed = try Recording(folder: folder(single))
    #expect(mixed.findings.map(\.code) == [.sequencePosesMissing])
    #expect(try mixed.capture(at: 5).worldFromCamera == nil)
    #expect(try mixed.capture(at: 4).worldFromCamera != nil)

    var folder = try folder(frames)
    folder.files["rgbd/3.depth"] = nil
    folder.files["rgbd/4.jpg"] = nil
    folder.files["rgbd/7.depth"] = nil
    folder.files["rgbd/7.jpg"] = nil
    folder.files["rgbd/5.conf"] = [1, 2]
    folder.files["rgbd/note.txt"] = [1]
    folder.files["sound.m4a"] = [1]
    let gaps = try Recording(folder: folder)
    #expect(gaps.frameNames == [0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 11].map(String.init))
    #expect(
      gaps.findings.map(\.code) == [
        .sequenceIncompleteFrames, .sequenceIncompleteFrames, .sequenceIncompleteFrames,
        .sequenceOtherFiles,
      ])
    #expect(try gaps.capture(at: 7).timestampSeconds == frames[8].timestampSeconds)
    #expect(try gaps.capture(at: 3).depth == nil && gaps.capture(at: 3).colorCalibration != nil)
    #expect(try gaps.capture(at: 4).color == nil)
    #expect(try gaps.capture(at: 5).findings.map(\.code) == [.fileDamagedImage])
    #expect(try gaps.capture(at: 5).depth?.confidence == nil)
    folder.files["metadata"] = nil
    let bare = try Recording(folder: folder)
    #expect(bare.findings.first?.code == .calibrationMissing)
    #expect(
      try depth(bare.capture(at: 0)).map(\.bitPattern) == depth(frames[0]).map(\.bitPattern))
  }

  @Test("Refuses what the format cannot hold, and says when the disk is full")
  func unrepresentable() throws {
    let output = MemoryOutput()
    var writer = Record3DRecordingWriter(
      file: try output.makeFile("a"), header: RecordingHeader(origin: "a test"))
    #expect(throws: RecordingWritingError.self) { try writer.finish() }
    var bad = frames[0]
    bad.depth = nil
    #expect(throws: RecordingWritingError.self) { try writer.append(bad, name: "0") }
    bad = frames[0]
    bad.depth?.calibration = nil
    #expect(throws: RecordingWritingError.self) { try writer.append(bad, name: "0") }
    bad = frames[0]
    bad.depth?.accuracy = .relative
    #expect(throws: RecordingWritingError.self) { try writer.append(bad, name: "0") }
    try writer.append(frames[0], name: "0")
    bad = frames[1]
    bad.depth?.values = .depth(
      DepthMap(meters: Raster(size: RasterSize(width: 4, height: 3), repeating: 1)))
    #expect(throws: RecordingWritingError.self) { try writer.append(bad, name: "1") }
    try writer.append(frames[1], name: "1")
    try writer.finish()
    let recording = try #require(
      try Recording(source: MemoryBytes(output.folder.bytes(of: "a"))))
    #expect(recording.frames.count == 2)

    let full = MemoryOutput(capacity: 3_000)
    var failing = Record3DRecordingWriter(
      file: try full.makeFile("a"), header: RecordingHeader(origin: "a test"))
    #expect(throws: RecordingWritingError.self) {
      for capture in frames { try failing.append(capture, name: "x") }
    }
    // What was stored whole before is still there.
    let left = try ZIPArchive(MemoryBytes(full.folder.bytes(of: "a")))
    #expect(left.findings.map(\.code) == [.fileCutOff])
  }

  @Test("Ends with captures or typed errors, whatever is cut or damaged")
  func damage() throws {
    let bytes = try archive(Array(frames.prefix(3)))
    var opened = 0
    for count in ByteDamage.truncations(of: bytes.count, steps: 40) {
      // The metadata stand at the end: a cut archive has maps and images, and no camera.
      let source = MemoryBytes(Array(bytes[..<count]))
      guard let recording = try? Recording(source: source) else {
        // Icon and image of the first frame come before its map.
        #expect(count < bytes.count / 2)
        continue
      }
      opened += 1
      #expect(recording.findings.map(\.code).contains(.fileCutOff))
      for index in recording.frames.indices {
        let capture = try recording.capture(at: index)
        if capture.depth == nil { continue }
        let meters = try depth(capture).map(\.bitPattern)
        #expect(meters == (try depth(frames[index]).map(\.bitPattern)))
      }
    }
    #expect(opened >= 20)
    let folder = try folder(Array(frames.prefix(3)))
    for seed in 0..<120 {
      var damaged = folder
      for name in ["metadata", "rgbd/0.depth", "rgbd/1.conf", "rgbd/2.jpg"] {
        damaged.files[name] = ByteDamage.flipped(folder.files[name] ?? [], seed: UInt64(seed))
      }
      guard let recording = try? Recording(folder: damaged) else { continue }
      for index in recording.frames.indices {
        let capture = try? recording.capture(at: index)
        #expect(capture?.depth?.size.pixelCount ?? 1 > 0)
      }
    }
  }
}
