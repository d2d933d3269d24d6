import PlumblineModel
import PlumblineTestSupport
import Testing
@testable import PlumblineImages
@testable import PlumblineRecordings
@Suite("Polycam raw data")
struct PolycamTests {
  let scene = PlaneScene()

  @Test("Puts all points on the plane, with the corrected camera where there is one")
  func plane() throws {
    for isCorrected in [true, false] {
      let recording = try Recording(
        folder: ScanFolders.polycam(scene, isCorrected: isCorrected))
      #expect(recording.layout == "Polycam raw data")
      #expect(recording.worldAxes == .yUp)
      #expect(recording.frameNames == ["12500000", "12600000", "12700000"])
      try scene.expect(recording)
      let capture = try recording.capture(at: 0)
      #expect(capture.color == PlaneScene.color)
      #expect(capture.depth?.confidence?.levels[2, 0] == 2)
      #expect(capture.depth?.confidence?.levels[0, 1] == 1)
      #expect(
        capture.provenance.map(\.name) == [
          isCorrected ? "corrected-pose" : "arkit-pose", "blur-score", "dequantized",
        ])
      #expect(capture.findings.isEmpty)
      #expect(recording.findings.map(\.code) == [.sequenceOtherFiles])
      #expect(recording.findings.first?.message.contains("0.500, 0.000, −2.000") == true)
    }
  }

  @Test("Takes the folder keyframes itself, and one further down")
  func places() throws {
    let folder = ScanFolders.polycam(scene)
    let inside = folder.renamed { name in
      name.hasPrefix("scan/keyframes/") ? String(name.dropFirst("scan/keyframes/".count)) : nil
    }
    try scene.expect(try Recording(folder: inside))
    try scene.expect(try Recording(folder: folder.renamed { "a/b/\($0)" }))
  }

  @Test("Counts clocks as numbers: 9 comes before 10")
  func order() throws {
    var scene = PlaneScene(count: 2)
    scene.views[0].seconds = 9.999_999
    scene.views[1].seconds = 10
    let recording = try Recording(folder: ScanFolders.polycam(scene))
    #expect(recording.frameNames == ["9999999", "10000000"])
    try scene.expect(recording)
  }

  @Test("Missing and damaged parts cost themselves alone")
  func missingParts() throws {
    var folder = ScanFolders.polycam(scene)
    folder.files["scan/keyframes/corrected_cameras/12500000.json"] = nil
    folder.files["scan/keyframes/cameras/12500000.json"] = nil
    folder.files["scan/keyframes/depth/12600000.png"] = nil
    folder.files["scan/keyframes/corrected_cameras/12700000.json"] = Array("{\"fx\":".utf8)
    folder.files["scan/keyframes/confidence/12700000.png"] = PNGEncoder().encoded(
      Raster<UInt8>(size: RasterSize(width: 3, height: 3), repeating: 1))
    let recording = try Recording(folder: folder)
    #expect(
      recording.findings.map(\.code) == [
        .sequenceIncompleteFrames, .sequencePosesMissing, .sequencePosesMissing,
        .sequenceOtherFiles,
      ])
    let poseless = try recording.capture(at: 0)
    #expect(poseless.worldFromCamera == nil && poseless.depth?.calibration == nil)
    let colorOnly = try recording.capture(at: 1)
    #expect(colorOnly.depth == nil && colorOnly.worldFromCamera != nil)
    #expect(colorOnly.colorCalibration?.intrinsics == scene.views[1].intrinsics)
    let damaged = try recording.capture(at: 2)
    #expect(damaged.depth?.confidence == nil)
    #expect(damaged.findings.map(\.code) == [.fileDamagedMetadata, .fileUnequalSizes])
  }

  @Test("Says which share of the depths is a guess, and counts codes that are no level")
  func doubts() throws {
    var scene = PlaneScene(count: 1)
    for x in 0..<16 { scene.views[0].depth[x, 3] = 5001 }
    var folder = ScanFolders.polycam(scene)
    folder.files["scan/keyframes/confidence/12500000.png"] = PlaneScene.confidence([0, 1, 255])
    let capture = try Recording(folder: folder).capture(at: 0)
    #expect(capture.findings.map(\.code) == [.depthBeyondSensor, .fileDamagedImage])
    // 16 of 191 measured pixels.
    #expect(capture.findings.first?.message.hasPrefix("8.4 %") == true)
    #expect(capture.depth?.confidence?.levels[1, 0] == 0)
  }

  @Test(
    "Numbers that are no camera or no pose are findings",
    arguments: [
      ("\"fx\":55.0", "\"fx\":0", FindingCode.calibrationDamaged),
      ("\"width\":64", "\"width\":1e300", .calibrationDamaged),
      ("\"height\":48,", "", .calibrationDamaged), ("\"t_00\":", "\"t\":", .sequencePosesMissing),
      ("\"t_11\":", "\"t_11\":9", .sequencePosesMissing),
      ("\"t_03\":", "\"t_03\":1e300,\"x\":", .sequencePosesMissing),
    ])
  func damagedNumbers(old: String, new: String, code: FindingCode) throws {
    let file = "scan/keyframes/corrected_cameras/12500000.json"
    let folder = ScanFolders.polycam(scene).replacing(old, with: new, in: file)
    let capture = try Recording(folder: folder).capture(at: 0)
    #expect(capture.findings.map(\.code) == [code])
    #expect(capture.depth != nil)
  }
}
