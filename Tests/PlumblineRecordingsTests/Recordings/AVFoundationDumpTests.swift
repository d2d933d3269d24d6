import PlumblineIO
import PlumblineModel
import PlumblineRecordings
import PlumblineTestSupport
import Testing
@testable import PlumblineImages

@Suite("AVFoundation dumps")
struct AVFoundationDumpTests {
  @Test("Reads depth, color, camera and board of a dump, in the order of time")
  func whole() throws {
    let sequence = try Recording(folder: RecordedFiles.dump([10_000, 900, 1_500]))
    #expect(sequence.layout == "AVFoundation dump")
    #expect(sequence.frameNames == ["900", "1500", "10000"])
    #expect(abs((sequence.boardSquareMeters ?? 0) - 0.020875) < 1e-15)
    #expect(sequence.findings.isEmpty)
    let capture = try sequence.capture(at: 1)
    #expect(capture.timestampSeconds == 1.5)
    #expect(capture.source.camera == .trueDepth)
    #expect(capture.source.interface == .avfoundation)
    #expect(capture.source.isGeometryCorrected == true)
    #expect(capture.source.model == nil)
    #expect(capture.color?[5, 3] == RGB8(red: 5, green: 3, blue: 7))
    let record = try #require(capture.depth)
    guard case .depth(let map) = record.values else {
      Issue.record("no depth")
      return
    }
    #expect(map.meters[0, 0].isNaN)
    #expect(map.meters[3, 2] == 0.323)
    #expect(record.accuracy == .absolute)
    #expect(record.isFiltered == false)
    #expect(record.quality == "high")
    #expect(record.nativeType == "fdep")
    #expect(record.calibration?.extrinsics?.translationMillimeters == [5, 6, 7])
  }

  @Test("Brings a matrix that was scaled early back to its reference size, exactly")
  func prescaled() throws {
    for isScaled in [true, false] {
      let folder = RecordedFiles.dump([1], isScaled: isScaled)
      let capture = try Recording(folder: folder).capture(at: 0, color: .none)
      let calibration = try #require(capture.depth?.calibration)
      let expected = RecordedFiles.intrinsics
      #expect(calibration.intrinsics.size == expected.size)
      // Four units in the last place of a double: one division, one multiplication, printed whole.
      #expect(abs(calibration.intrinsics.focalLength.x - 70) < 1e-13)
      #expect(abs(calibration.intrinsics.principalPoint.x - 40.5) < 1e-13)
      #expect(abs(calibration.intrinsics.principalPoint.y - 29.25) < 1e-13)
      #expect(calibration.distortion?.center == [40.5, 29.25])
      // (c + ½)·s − ½ and not c·s.
      let scaled = calibration.scaled(to: RecordedFiles.size)
      #expect(abs(scaled.intrinsics.principalPoint.x - 3.6) < 1e-13)
      #expect(capture.findings.contains { $0.code == .calibrationPrescaled } == isScaled)
      #expect(capture.provenance.contains { $0.name == "unscaled-intrinsics" } == isScaled)
    }
  }

  @Test("Uses what is there of incomplete frames and counts the rest")
  func incomplete() throws {
    var folder = RecordedFiles.dump([1, 2, 3, 4])
    folder.files["rgb_1.png"] = nil
    folder.files["depth_2.png"] = nil
    folder.files["depth_4.png"] = nil
    folder.files["rgb_4.png"] = nil
    folder.files["depth_5.png"] = RecordedFiles.depthPNG
    folder.files["depth_0003.png"] = RecordedFiles.depthPNG
    folder.files["Gyroscope.txt"] = []
    folder.files["rgb_.png"] = []
    folder.files["depth_99999999999999999999.png"] = []
    let sequence = try Recording(folder: folder)
    #expect(sequence.frameNames == ["1", "2", "3", "5"])
    #expect(try sequence.capture(at: 0).color == nil)
    #expect(try sequence.capture(at: 1).depth == nil)
    #expect(try sequence.capture(at: 1).color != nil)
    #expect(try sequence.capture(at: 1).colorCalibration != nil)
    #expect(try sequence.capture(at: 3).depth?.calibration == nil)
    #expect(try sequence.capture(at: 3).depth?.accuracy == .unknown)
    let messages = sequence.findings.map(\.message)
    for part in [
      "1 of 4 frames have no depth map", "2 of 4 frames have no color image",
      "1 of 4 frames have no entry in DepthMetadata.json", "1 entries of metadata have no image",
      "1 files or entries repeat a timestamp", "2 other files are left aside",
    ] {
      #expect(messages.contains { $0.contains(part) }, "\(part) in \(messages)")
    }
  }

  @Test(
    "Reads on behind damaged metadata, and says so",
    arguments: [
      "", "[", "[1, \"a\", {}]", "{\"Timestamp\": 1}", "[{\"Timestamp\": \"1\"}]", "null",
    ])
  func damagedMetadata(text: String) throws {
    var folder = RecordedFiles.dump([1])
    folder.files["DepthMetadata.json"] = Array(text.utf8)
    folder.files["checkersize.txt"] = Array("two".utf8)
    let sequence = try Recording(folder: folder)
    #expect(sequence.boardSquareMeters == nil)
    #expect(!sequence.findings.isEmpty)
    let capture = try sequence.capture(at: 0)
    #expect(capture.depth != nil)
    #expect(capture.depth?.calibration == nil)
  }

  @Test("Takes numbers written as text, and refuses wrong matrices with a finding")
  func oddValues() throws {
    func capture(_ old: String, _ new: String) throws -> Capture {
      var folder = RecordedFiles.dump([1])
      let text = RecordedFiles.depthMetadata(1)
      #expect(text.contains(old))
      folder.files["DepthMetadata.json"] = Array("[\(text.replacing(old, with: new))]".utf8)
      return try Recording(folder: folder).capture(at: 0, color: .none)
    }
    #expect(try capture("\"Accuracy\": 1", "\"Accuracy\": \"1\"").depth?.accuracy == .absolute)
    #expect(try capture("\"Accuracy\": 1", "\"Accuracy\": 0").depth?.accuracy == .relative)
    #expect(try capture("\"Accuracy\": 1", "\"Accuracy\": 7").depth?.accuracy == .unknown)
    for (old, new) in [
      ("(7.0, 0.0, ", "(7.0, "), ("(7.0, 0.0, ", "(nan, 0.0, "), ("(0.0, 0.0, 1.0)", "(0.0, 1.0)"),
      ("(7.0, 0.0, ", "(-7.0, 0.0, "),
    ] {
      let damaged = try capture(old, new)
      #expect(damaged.depth?.calibration == nil)
      #expect(damaged.findings.map(\.code).contains(.calibrationDamaged))
    }
    #expect(
      try capture("(40.5, 29.25)", "(0.0, 0.0)").depth?.calibration?.distortion == nil)
    #expect(
      try capture("\"Width\": 8", "\"Width\": 9").findings.map(\.code).contains(.fileUnequalSizes))
  }

  @Test("Names the file of a frame that cannot be read")
  func damagedImages() throws {
    var folder = RecordedFiles.dump([1, 2, 3])
    folder.files["depth_1.png"] = Array(RecordedFiles.depthPNG.prefix(60))
    folder.files["depth_2.png"] = RecordedFiles.colorPNG()
    folder.files["rgb_3.png"] = Array(RecordedFiles.colorPNG().prefix(60))
    let sequence = try Recording(folder: folder)
    for (index, word) in [(0, "malformed at depth_1.png"), (1, "unsupported at depth_2.png")] {
      let error = #expect(throws: CaptureReadingError.self) { try sequence.capture(at: index) }
      #expect(error?.description.contains(word) == true)
    }
    let third = try sequence.capture(at: 2)
    #expect(third.depth != nil)
    #expect(third.findings.map(\.code).contains(.fileDamagedImage))
  }

  @Test("Tells a color image of another shape")
  func unequalShapes() throws {
    var folder = RecordedFiles.dump([1])
    folder.files["rgb_1.png"] = RecordedFiles.colorPNG(RasterSize(width: 16, height: 9))
    let capture = try Recording(folder: folder).capture(at: 0, color: .none)
    #expect(capture.colorSize == RasterSize(width: 16, height: 9))
    #expect(capture.findings.map(\.code).contains(.fileUnequalSizes))
  }

  @Test("Survives flipped metadata, and never reads more frames than there are files")
  func damage() throws {
    let sound = RecordedFiles.dump([1, 2])
    for seed in 0..<150 {
      var folder = sound
      for name in ["DepthMetadata.json", "CameraMetadata.json"] {
        folder.files[name] = ByteDamage.flipped(sound.files[name] ?? [], seed: UInt64(seed))
      }
      let sequence = try Recording(folder: folder)
      #expect(sequence.frameNames == ["1", "2"])
      // Decoding a map costs more than what is tried here.
      if seed % 5 == 0 { _ = try sequence.capture(at: seed / 5 % 2, color: .none) }
    }
  }
}
