import PlumblineModel
import PlumblineTestSupport
import Testing
@testable import PlumblineImages
@testable import PlumblineRecordings
@Suite("ARKitScenes")
struct ARKitScenesTests {
  let scene = PlaneScene()

  @Test("Puts all points on the plane by poses from world to camera, 1 ms away")
  func plane() throws {
    let recording = try Recording(folder: ScanFolders.arkitScenes(scene))
    #expect(recording.layout == "ARKitScenes")
    #expect(recording.worldAxes == .zUp)
    #expect(recording.findings.isEmpty)
    try scene.expect(recording)
    let capture = try recording.capture(at: 1)
    #expect(capture.color == PlaneScene.color)
    #expect(capture.colorCalibration == nil)
    #expect(capture.depth?.confidence?.levels[2, 0] == 2)
    #expect(capture.findings.isEmpty)
    try scene.expect(try Recording(folder: ScanFolders.arkitScenes(scene).renamed { "4/\($0)" }))
  }

  @Test("Frames farther than 5 ms from a pose have none")
  func rates() throws {
    let folder = ScanFolders.arkitScenes(scene)
      .replacing("12.601 ", with: "12.6051 ", in: "lowres_wide.traj")
    let recording = try Recording(folder: folder)
    #expect(recording.findings.map(\.code) == [.sequencePosesMissing])
    #expect(try recording.capture(at: 1).worldFromCamera == nil)
    #expect(try recording.capture(at: 2).worldFromCamera != nil)
    let near = folder.replacing("12.6051 ", with: "12.6049 ", in: "lowres_wide.traj")
    try scene.expect(try Recording(folder: near))
  }

  @Test("A larger color image has its own camera, and lends it to depth maps without")
  func otherStreams() throws {
    var folder = ScanFolders.arkitScenes(PlaneScene(count: 1))
    let name = "41254925_12.500"
    folder.files["lowres_wide/\(name).png"] = nil
    folder.files["wide/41254925_12.503.png"] = PNGEncoder().encoded(
      Raster<RGB8>(
        size: RasterSize(width: 128, height: 96), repeating: RGB8(red: 1, green: 2, blue: 3)))
    folder.files["wide_intrinsics/41254925_12.503.pincam"] = Array("128 96 110 108 61 51.5\n".utf8)
    let both = try Recording(folder: folder).capture(at: 0)
    #expect(both.colorSize == RasterSize(width: 128, height: 96))
    #expect(both.colorCalibration?.intrinsics.focalLength == [110, 108])
    #expect(both.depth?.calibration?.intrinsics.focalLength == [55, 54])
    folder.files["lowres_wide_intrinsics/\(name).pincam"] = nil
    let lent = try Recording(folder: folder).capture(at: 0)
    #expect(lent.depth?.calibration?.intrinsics.focalLength == [110, 108])
  }

  @Test("Damage costs lines, cameras and images alone")
  func damage() throws {
    let folder = ScanFolders.arkitScenes(scene)
      .replacing("12.501 ", with: "12.501 x ", in: "lowres_wide.traj")
      .replacing("64 48", with: "64", in: "lowres_wide_intrinsics/41254925_12.600.pincam")
    let recording = try Recording(folder: folder)
    #expect(recording.findings.map(\.code) == [.fileDamagedMetadata, .sequencePosesMissing])
    #expect(try recording.capture(at: 0).worldFromCamera == nil)
    #expect(try recording.capture(at: 1).findings.map(\.code) == [.calibrationDamaged])
    let backwards = ScanFolders.arkitScenes(scene)
      .replacing("12.701 ", with: "1.0 ", in: "lowres_wide.traj")
    #expect(
      try Recording(folder: backwards).findings.map(\.code) == [
        .sequenceClockBackwards, .sequencePosesMissing,
      ])
    var bare = folder
    bare.files["lowres_wide.traj"] = nil
    #expect(try Recording(folder: bare).findings.map(\.code) == [.sequencePosesMissing])
  }
}
