import Foundation
import PlumblineTestSupport
import Testing

/// `verify` and `calibrate` as users run them, with good folders and with bad ones.
@Suite(.serialized) struct VerifyCommandTests {
  static let board = "charuco:10x8:20.875mm:DICT_ARUCO_ORIGINAL"
  static let evaluation = "zeiss-truedepth/DepthEvalDataset/iPadPro12_5gen_iOS15"
  static let calibration = "zeiss-truedepth/FrontCamCalibrationDataset/iPadPro12_5gen_iOS15"

  /// Some files of a real folder beside each other.
  static func copy(_ source: String, to folder: TemporaryFolder, frames: [Int]) throws {
    let place = try RealData.url(source)
    let names = try FileManager.default.contentsOfDirectory(atPath: place.path).sorted()
    let colors = names.filter { $0.hasPrefix("rgb_") }
    var kept = names.filter { !$0.hasSuffix(".png") }
    for index in frames {
      kept.append(colors[index])
      kept.append(colors[index].replacingOccurrences(of: "rgb_", with: "depth_"))
    }
    for name in kept {
      try folder.put(Array(Data(contentsOf: place.appending(path: name))), at: name)
    }
  }

  @Test("A folder that is missing, empty or no recording is refused in one sentence")
  func noFolder() throws {
    let folder = try TemporaryFolder()
    for verb in ["verify", "calibrate"] {
      let missing = try CommandRun([verb, folder.file("none"), "--board", Self.board])
      #expect(missing.status == 66)
      let empty = try CommandRun([verb, folder.path, "--board", Self.board])
      #expect(empty.status == 65)
      #expect(empty.message.split(separator: "\n").count == 1)
      #expect(empty.output.isEmpty)
    }
    try folder.put(Array("{".utf8), at: "DepthMetadata.json")
    try folder.put(Array("x".utf8), at: "depth_1.png")
    let broken = try CommandRun("verify", folder.path, "--board", Self.board)
    #expect(broken.status == 65)
    #expect(broken.message.split(separator: "\n").count == 1)
  }

  @Test("Boards that are none, and options that contradict each other, are wrong usage")
  func badBoards() throws {
    let folder = try TemporaryFolder()
    for board in ["charuco", "chessboard:1x1:25mm", "chessboard:9x6", "hexagon:3x3:1mm"] {
      #expect(try CommandRun("verify", folder.path, "--board", board).status == 64, "\(board)")
    }
    #expect(
      try CommandRun("verify", folder.path, "--board", Self.board, "--square", "20").status == 64)
    #expect(try CommandRun("calibrate", folder.path, "--free", "focal,zoom").status == 64)
  }

  @Test(
    "Five frontal frames: lengths with ±, no focal length, exit 1",
    .enabled(if: RealData.isPresent, Comment(rawValue: RealData.absence)))
  func alikeViews() throws {
    let place = try RealData.url(Self.evaluation).path
    let run = try CommandRun("verify", place, "--board", Self.board, "--json")
    let document = try run.document()
    #expect(run.status == 1)
    #expect(document["schema"] as? String == "plumbline.verify/1")
    // Lengths alone warn; they accuse no device.
    #expect(document["verdict"] as? String == "cannotTell")
    #expect((document["reason"] as? String)?.contains("more than the sensor explains") == true)
    #expect((document["models"] as? [Any])?.isEmpty == true)
    let value = { (key: String) in CheckDocumentTests.value(key, in: document) }
    #expect(value("focal.measured") is NSNull)
    // −13.8 ± 0.5 mm and −6.6 %, as published with OpenCV's corners.
    let offset = try #require(value("depth.factory.medianMillimeters") as? Double)
    #expect(abs(offset + 13.8) < 0.5)
    let length = try #require(value("length.factoryPercent") as? Double)
    #expect(abs(length + 6.6) < 0.3)
    #expect((value("length.plusMinusPercent") as? Double ?? 0) >= 0.6)
    // Threads do not change a byte.
    let single = try CommandRun(
      "verify", place, "--board", Self.board, "--json", "--threads", "1")
    #expect(single.output == run.output)
  }

  @Test(
    "One frame, another board, and frames without one: exit 1, no focal length, nothing written",
    .enabled(if: RealData.isPresent, Comment(rawValue: RealData.absence)))
  func tooLittle() throws {
    let folder = try TemporaryFolder()
    try Self.copy(Self.evaluation, to: folder, frames: [0])
    let one = try CommandRun("verify", folder.path, "--board", Self.board)
    #expect(one.status == 1)
    #expect(one.text.contains("One frame does not determine the focal length"))
    #expect(one.text.contains("±"))
    let other = try CommandRun(
      "verify", folder.path, "--board", "charuco:10x8:20.875mm:DICT_6X6_250")
    #expect(other.status == 1)
    #expect(other.text.contains("CANNOT TELL"))
    let place = folder.file("out")
    let refused = try CommandRun("calibrate", folder.path, "--board", Self.board, "-o", place)
    #expect(refused.status == 1)
    #expect(refused.message.split(separator: "\n").count == 1)
    #expect(refused.output.isEmpty)
    #expect(!FileManager.default.fileExists(atPath: place))
  }

  @Test(
    "A calibration from a dozen frames is written with its ± and judges other frames",
    .enabled(if: RealData.isPresent, Comment(rawValue: RealData.absence)))
  func calibrates() throws {
    let folder = try TemporaryFolder()
    try Self.copy(Self.calibration, to: folder, frames: [0, 4, 11, 14, 19, 23, 27, 31, 35])
    let place = folder.file("measured")
    let run = try CommandRun("calibrate", folder.path, "--board", Self.board, "-o", place, "--json")
    #expect(run.status == 0)
    let document = try run.document()
    let focal = try #require(document["fx"] as? Double)
    let sigma = try #require(document["focalSigma"] as? Double)
    // OpenCV's corners of all frames give 530.8 ± 0.7; nine frames leave a little more.
    #expect(abs(focal - 530.8) < 4 && sigma > 0.05 && sigma < 4)
    for file in ["calibration.json", "opencv.yaml", "open3d.json", "report.html"] {
      #expect(FileManager.default.fileExists(atPath: "\(place)/\(file)"), "\(file)")
    }
    let other = try RealData.url(Self.evaluation).path
    for file in ["calibration.json", "opencv.yaml"] {
      let judged = try CommandRun(
        "verify", other, "--board", Self.board, "--json", "--calibration", "\(place)/\(file)")
      #expect(judged.status == 0, "\(file)")
      let offset = CheckDocumentTests.value(
        "depth.measured.medianMillimeters", in: try judged.document())
      #expect(abs(offset as? Double ?? .infinity) < 2)
    }
    let bare = try CommandRun(
      "verify", other, "--board", Self.board, "--calibration", "\(place)/open3d.json")
    #expect(bare.status == 65)
  }
}
