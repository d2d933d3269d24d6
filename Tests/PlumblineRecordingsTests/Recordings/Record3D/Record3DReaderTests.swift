import PlumblineModel
import PlumblineTestSupport
import Testing
@testable import PlumblineIO
@testable import PlumblineRecordings
@Suite("Record3D: recordings of other ages, with gaps and damage")
struct Record3DReaderTests {
  /// The metadata of an older recording: no sizes of maps, no times, no numbers for each frame.
  private func setMetadata(_ text: String, _ folder: inout MemoryFolder) {
    folder.files["metadata"] = Array(text.utf8)
  }

  @Test("Opens the folder of maps itself: an archive that lost its metadata holds nothing else")
  func mapsAlone() throws {
    let frames = Record3DSamples.frames
    let whole = try Record3DSamples.folder(Array(frames.prefix(3)))
    var maps = MemoryFolder()
    for (name, bytes) in whole.files where name.hasPrefix("rgbd/") {
      maps.files[String(name.dropFirst(5))] = bytes
    }
    let recording = try Recording(folder: maps)
    #expect(recording.layout == "Record3D")
    #expect(recording.findings.contains { $0.code == .calibrationMissing })
    #expect(recording.frameNames == ["0", "1", "2"])
    #expect(
      try Record3DSamples.depth(recording.capture(at: 1)).samples.map(\.bitPattern)
        == Record3DSamples.depth(frames[1]).samples.map(\.bitPattern))
  }

  @Test("Reads older recordings, whose maps prove their own size")
  func older() throws {
    var folder = try Record3DSamples.folder(Record3DSamples.frames)
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
      #expect(try Record3DSamples.depth(capture)[191, 255] == 1.5)
    }
    let face = try recording.capture(at: 2)
    #expect(face.source.camera == .trueDepth)
    #expect(try Record3DSamples.depth(face).size == RasterSize(width: 480, height: 640))
    #expect(try Record3DSamples.depth(face)[0, 0].isNaN)
  }

  @Test("Takes the identity at every frame as no pose, and numbers as numbers")
  func missing() throws {
    var still = Record3DSamples.frames
    for index in still.indices { still[index].worldFromCamera = nil }
    let untracked = try Recording(folder: Record3DSamples.folder(still))
    #expect(untracked.findings.map(\.code) == [.sequencePosesMissing])
    #expect(try untracked.capture(at: 0).worldFromCamera == nil)
    var single = Record3DSamples.frames
    single[5].worldFromCamera = nil
    let mixed = try Recording(folder: Record3DSamples.folder(single))
    #expect(mixed.findings.map(\.code) == [.sequencePosesMissing])
    #expect(try mixed.capture(at: 5).worldFromCamera == nil)
    #expect(try mixed.capture(at: 4).worldFromCamera != nil)

    var folder = try Record3DSamples.folder(Record3DSamples.frames)
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
    #expect(try gaps.capture(at: 7).timestampSeconds == Record3DSamples.frames[8].timestampSeconds)
    #expect(try gaps.capture(at: 3).depth == nil && gaps.capture(at: 3).colorCalibration != nil)
    #expect(try gaps.capture(at: 4).color == nil)
    #expect(try gaps.capture(at: 5).findings.map(\.code) == [.fileDamagedImage])
    #expect(try gaps.capture(at: 5).depth?.confidence == nil)
    folder.files["metadata"] = nil
    let bare = try Recording(folder: folder)
    #expect(bare.findings.first?.code == .calibrationMissing)
    #expect(
      try Record3DSamples.depth(bare.capture(at: 0)).map(\.bitPattern)
        == Record3DSamples.depth(Record3DSamples.frames[0]).map(\.bitPattern))
  }

  @Test("Ends with captures or typed errors, whatever is cut or damaged")
  func damage() throws {
    let bytes = try Record3DSamples.archive(Array(Record3DSamples.frames.prefix(3)))
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
        let meters = try Record3DSamples.depth(capture).map(\.bitPattern)
        #expect(
          meters == (try Record3DSamples.depth(Record3DSamples.frames[index]).map(\.bitPattern)))
      }
    }
    #expect(opened >= 20)
    let folder = try Record3DSamples.folder(Array(Record3DSamples.frames.prefix(3)))
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
