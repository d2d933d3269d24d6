import Foundation
import PlumblineModel
import PlumblineTestSupport
import Testing
@testable import PlumblineImages
@testable import PlumblineIO
@testable import PlumblineRecordings
@Suite("Folders of frames")
struct RecordingTests {
  @Test("Orders PLY frames by their clock, and by name where one has none")
  func plyFrames() throws {
    var folder = MemoryFolder([
      "a.ply": RecordedFiles.plyFrame(timestamp: 30), "b.ply": RecordedFiles.plyFrame(timestamp: 4),
      "cloud.ply": Array("ply\nformat ascii 1.0\nelement vertex 0\nend_header\n".utf8),
      "motion-data.json": Array("[]".utf8), "a.jpeg": [1],
    ])
    let sequence = try Recording(folder: folder)
    #expect(sequence.layout == "StandardCyborg PLY frames")
    #expect(sequence.frameNames == ["b", "a"])
    #expect(sequence.findings.map(\.code) == [.sequenceOtherFiles])
    #expect(try sequence.capture(at: 0, color: .preview(maximumSide: 4)).color?.size.width == 4)
    #expect(try sequence.capture(at: 1).findings.map(\.code) == [.fileDamagedImage])
    folder.files["b.ply"] = RecordedFiles.plyFrame(json: "{\"width\":8,\"height\":6}")
    let untimed = try Recording(folder: folder)
    #expect(untimed.frameNames == ["a", "b"])
    #expect(untimed.findings.map(\.code) == [.sequenceTimeUnknown, .sequenceOtherFiles])
    #expect(try untimed.capture(at: 1).depth?.calibration == nil)
  }

  @Test("Reads RGB-D JSON with the image of the same name")
  func rgbd() throws {
    let folder = MemoryFolder([
      "22-05-01_12-30-15_1651379415123.json": Array(RecordedFiles.rgbdJSON().utf8),
      "22-05-01_12-30-15_1651379415123.PNG": RecordedFiles.colorPNG(),
      "9.json": Array(RecordedFiles.rgbdJSON(hasCalibration: false).utf8),
      "other.json": Array("{\"a\": 1}".utf8),
    ])
    let sequence = try Recording(folder: folder)
    #expect(sequence.layout == "RGB-D JSON files")
    #expect(sequence.frameNames == ["9", "22-05-01_12-30-15_1651379415123"])
    #expect(sequence.findings.map(\.code) == [.sequenceIncompleteFrames])
    let capture = try sequence.capture(at: 1)
    #expect(capture.timestampSeconds == 1_651_379_415.123)
    #expect(capture.color?[2, 1] == RGB8(red: 2, green: 1, blue: 7))
    let record = try #require(capture.depth)
    guard case .depth(let map) = record.values else {
      Issue.record("no depth")
      return
    }
    #expect(map.meters[0, 0].isNaN && map.meters[3, 2] == 0.323)
    #expect(record.calibration?.intrinsics == RecordedFiles.intrinsics)
    #expect(
      record.calibration?.distortion?.undistorting == .table(RecordedFiles.tables.undistorting))
    #expect(try sequence.capture(at: 0).depth?.calibration == nil)
  }

  @Test("A recording has frames: signs that lie where no frame can are an error")
  func noFrames() {
    let folder = MemoryFolder(["rgbd/0.dep/0.depth": [0x62, 0x76, 0x78, 0x2D]])
    #expect {
      _ = try Recording(folder: folder)
    } throws: { error in
      let error = error as? CaptureReadingError
      return error?.reason == .missing && error?.expected.contains("rgbd/0.depth") == true
    }
  }

  @Test("Calls no two frames alike, and none by a name that folders have for themselves")
  func frameNames() throws {
    let frame = RecordedFiles.plyFrame(timestamp: 1)
    let names = ["...ply", "..ply", ".ply", "a.PLY", "a.ply", "b.ply"]
    let folder = MemoryFolder(Dictionary(uniqueKeysWithValues: names.map { ($0, frame) }))
    let sequence = try Recording(folder: folder)
    #expect(sequence.frameNames == ["...ply", "..ply", ".ply", "a.PLY", "a.ply", "b"])
  }

  @Test(
    "Numbers that overflow when they are scaled make no camera, and no infinity in a message",
    arguments: ["1e308", "-1e308", "1e10"])
  func overflowingMatrix(number: String) throws {
    var folder = RecordedFiles.dump([1])
    let text = String(decoding: try #require(folder.files["DepthMetadata.json"]), as: UTF8.self)
    let start = try #require(text.range(of: "\"IntrinsicMatrix.0\": \"("))
    let end = try #require(text[start.upperBound...].firstIndex(of: ","))
    folder.files["DepthMetadata.json"] = Array(
      text.replacingCharacters(in: start.upperBound..<end, with: number).utf8)
    let capture = try Recording(folder: folder).capture(at: 0)
    #expect(capture.depth?.calibration == nil)
    #expect(capture.findings.map(\.code) == [.calibrationDamaged])
    #expect(capture.findings.allSatisfy { !$0.message.contains("inf") })
  }

  @Test("An empty image is called empty")
  func emptyImage() throws {
    var folder = RecordedFiles.dump([1])
    folder.files["depth_1.png"] = []
    let sequence = try Recording(folder: folder)
    let error = #expect(throws: CaptureReadingError.self) { try sequence.capture(at: 0) }
    #expect(error?.found == "no bytes")
  }

  @Test("Tells meters that were cut off before they were multiplied, and meters that were not")
  func doubtfulUnits() throws {
    let text = "{\"depth_data\": [[0, 1000, 2000], [1000, 1000, 0]]}"
    let capture = try CaptureReader().capture(from: Array(text.utf8))
    #expect(capture.findings.map(\.code) == [.depthTruncatedToMeters])
    #expect(capture.findings.first?.severity == .fault)
    let empty = try CaptureReader().capture(from: Array("{\"depth_data\": [[0, 0]]}".utf8))
    #expect(empty.findings.isEmpty)
    #expect(empty.depth?.hasUnit == true)
    let meters = Array(RecordedFiles.rgbdJSON(scale: 0.001).utf8)
    #expect(try CaptureReader().capture(from: meters).depth?.hasUnit == false)
  }

  @Test(
    "Refuses depths that are no map, with the place",
    arguments: [
      ("{\"depth_data\": [[1, 2], [3]]}", "malformed at depth_data/row 1"),
      ("{\"depth_data\": [[1, 2], [3, 4, 5]]}", "row 1"),
      ("{\"depth_data\": []}", "an empty array"),
      ("{\"depth_data\": [[]]}", "row 0"),
      ("{\"depth_data\": [[1, NaN]]}", "depth_data/row 0/column 1"),
      ("{\"depth_data\": [[1, \"2\"]]}", "depth_data/row 0/column 1"),
      ("{\"depth_data\": [[1, [[[]]]]]}", "column 1"), ("{\"depth_data\": 1}", "expected “[”"),
      ("{\"depth\": 1}", "a JSON text with the keys depth"), ("{}", "an empty one"),
      ("{\"a\": \(String(repeating: "[", count: 5000))", "at most 32 levels"),
    ])
  func wrongRows(text: String, message: String) {
    let error = #expect(throws: CaptureReadingError.self) {
      try CaptureReader().capture(from: Array(text.utf8))
    }
    #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
  }

  @Test("Stops at the limit of pixels before a map is whole")
  func pixelLimit() {
    var limits = ReadingLimits()
    limits.auxiliaryPixels = 10
    let error = #expect(throws: CaptureReadingError.self) {
      try CaptureReader(limits: limits).capture(from: Array(RecordedFiles.rgbdJSON().utf8))
    }
    #expect(error?.reason == .limitExceeded)
  }

  @Test("Says what an unknown folder holds and which layouts are known")
  func unknown() {
    for (folder, words) in [
      (MemoryFolder(), "a folder without files"),
      (MemoryFolder(["a.txt": [], "b.txt": [], "LICENSE": []]), "2 .txt, 1 without an ending"),
      (MemoryFolder(["a.json": Array("[1]".utf8), "x.ply": [1]]), "1 .json, 1 .ply"),
      (RecordedFiles.dump([]), "metadata without images"),
    ] {
      let error = #expect(throws: CaptureReadingError.self) { try Recording(folder: folder) }
      #expect(error?.reason == .missing)
      #expect(error?.found.contains(words) == true, "\(error?.found ?? "")")
    }
  }

  @Test("Takes photos in the order of the numbers in their names")
  func photos() throws {
    let folder = MemoryFolder(["IMG_10.HEIC": [1], "IMG_9.jpg": [2], "notes.txt": []])
    let sequence = try Recording(folder: folder)
    #expect(sequence.frameNames == ["IMG_9.jpg", "IMG_10.HEIC"])
    let error = #expect(throws: CaptureReadingError.self) { try sequence.capture(at: 0) }
    #expect(error?.path.first == "IMG_9.jpg")
  }

  @Test("Counts numbers in names as numbers")
  func naturalOrder() {
    let sorted = ["a", "a1", "a01", "a2", "a10", "a10b", "a10c", "a11", "b", "b0003x", "b4"]
    for seed in 0..<20 {
      var generator = SeededGenerator(seed: UInt64(seed))
      let shuffled = sorted.shuffled(using: &generator)
      let result = shuffled.sorted(by: NaturalOrder.precedes)
      #expect(
        result.filter { $0 != "a01" && $0 != "a1" } == sorted.filter { $0 != "a01" && $0 != "a1" })
      #expect(result == shuffled.shuffled(using: &generator).sorted(by: NaturalOrder.precedes))
    }
  }

  @Test("Keeps frames and files within their limits")
  func limits() {
    var limits = ReadingLimits()
    limits.sequenceFrames = 2
    #expect(throws: CaptureReadingError.self) {
      try Recording(folder: RecordedFiles.dump([1, 2, 3]), limits: limits)
    }
    limits.folderFiles = 3
    #expect(throws: CaptureReadingError.self) {
      try Recording(folder: RecordedFiles.dump([1]), limits: limits)
    }
  }
}
