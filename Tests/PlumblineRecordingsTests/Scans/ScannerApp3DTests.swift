import PlumblineModel
import PlumblineTestSupport
import Testing
@testable import PlumblineIO
@testable import PlumblineRecordings
@Suite("3D Scanner App")
struct ScannerApp3DTests {
  let scene = PlaneScene(count: 12)

  @Test("Puts all points on the plane; frames without a color image are depth alone")
  func plane() throws {
    let recording = try Recording(folder: ScanFolders.scannerApp3D(scene))
    #expect(recording.layout == "3D Scanner App")
    #expect(recording.worldAxes == .yUp)
    #expect(recording.frameNames.suffix(3) == ["00009", "00010", "00011"])
    #expect(recording.findings.map(\.code) == [.sequenceIncompleteFrames])
    try scene.expect(recording)
    let first = try recording.capture(at: 0)
    #expect(first.color?.size == PlaneScene.colorSize)
    #expect(first.depth?.confidence?.levels[1, 0] == 1)
    #expect(first.findings.isEmpty)
    let second = try recording.capture(at: 1)
    #expect(second.color == nil && second.colorSize == nil && second.depth != nil)
  }

  @Test("Orders names of other lengths by their numbers")
  func order() throws {
    let short = ScanFolders.scannerApp3D(scene).renamed { name in
      name.replacing("_000", with: "_").replacing("_0", with: "_")
    }
    #expect(short.files.keys.contains("depth_9.png") && short.files.keys.contains("depth_10.png"))
    try scene.expect(try Recording(folder: short))
  }

  @Test("Clocks that go backwards keep the order of the numbers and are told")
  func clock() throws {
    let folder = ScanFolders.scannerApp3D(scene)
      .replacing("\"time\":12.7", with: "\"time\":2.5", in: "frame_00002.json")
    let recording = try Recording(folder: folder)
    #expect(recording.findings.map(\.code) == [.sequenceClockBackwards, .sequenceIncompleteFrames])
    #expect(recording.frames[2].timestampSeconds == 2.5)
    let untimed = folder.replacing("\"time\":2.5", with: "\"x\":1", in: "frame_00002.json")
    #expect(try Recording(folder: untimed).findings.first?.code == .sequenceTimeUnknown)
  }

  @Test("Guesses the size of the intrinsics where no color image tells it, and says so")
  func assumedSize() throws {
    var folder = ScanFolders.scannerApp3D(PlaneScene(count: 1))
    folder.files["frame_00000.jpg"] = nil
    let unknown = try Recording(folder: folder).capture(at: 0)
    #expect(unknown.findings.map(\.code) == [.calibrationDamaged])
    folder.files["frame_00000.json"] = Array(
      "{\"cameraPoseARFrame\":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1],\"time\":1,\"intrinsics\":[1348.93,0,961.14,0,1348.93,718.69,0,0,1]}"
        .utf8)
    let known = try Recording(folder: folder).capture(at: 0)
    #expect(known.depth?.calibration?.intrinsics.size == RasterSize(width: 1920, height: 1440))
    #expect(known.provenance.contains { $0.name == "assumed-size" })
  }

  @Test("Missing and damaged parts cost themselves alone")
  func missingParts() throws {
    var folder = ScanFolders.scannerApp3D(PlaneScene(count: 4)).renamed { "2026_01_13/\($0)" }
    folder.files["2026_01_13/frame_00001.json"] = nil
    folder.files["2026_01_13/frame_00002.json"] = Array("{\"cameraPoseARFrame\":[1,2]}".utf8)
    folder.files["2026_01_13/depth_00003.png"] = Array("no image".utf8)
    folder.files["2026_01_13/conf_00000.png"] = []
    let recording = try Recording(folder: folder)
    #expect(try recording.capture(at: 0).findings.map(\.code) == [.fileDamagedImage])
    #expect(try recording.capture(at: 1).worldFromCamera == nil)
    #expect(try recording.capture(at: 2).findings.map(\.code) == [.sequencePosesMissing])
    let error = #expect(throws: CaptureReadingError.self) { try recording.capture(at: 3) }
    #expect(error?.path.first == "depth_00003.png")
  }
}
