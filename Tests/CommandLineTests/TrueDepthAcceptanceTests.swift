import Foundation
import PlumblineTestSupport
import Testing

/// The numbers that the public TrueDepth data must show, by the built program alone.
///
/// - Source: issue 3, "Numbers to reach"; a third of the frames keeps the debug build quick.
@Suite(
  .serialized, .enabled(if: RealData.isPresent, Comment(rawValue: RealData.absence)))
struct TrueDepthAcceptanceTests {
  static let root = "zeiss-truedepth"

  /// Every third frame from one on.
  static func third(from first: Int) -> [Int] { Array(stride(from: first, to: 50, by: 3)) }

  static func device(_ generation: Int) -> String { "iPadPro12_\(generation)gen_iOS15" }

  /// What a number of a document is; NaN where it is `null` or no number.
  static func number(_ key: String, in document: [String: Any]) -> Double {
    CheckDocumentTests.value(key, in: document) as? Double ?? .nan
  }

  /// The camera as one assumption about its lens has it.
  static func model(_ name: String, in document: [String: Any]) throws -> [String: Any] {
    let models = try #require(document["models"] as? [[String: Any]])
    return try #require(models.first { $0["name"] as? String == name })
  }

  @Test("5th generation: 565.12 px do not fit, 530.0 to 531.6 px do, and mend depth and lengths")
  func fifthGeneration() throws {
    let folder = try TemporaryFolder()
    try VerifyCommandTests.copy(
      "\(Self.root)/FrontCamCalibrationDataset/\(Self.device(5))", to: folder,
      frames: Self.third(from: 0))
    let place = folder.file("measured")
    let board = ["--board", VerifyCommandTests.board]
    let calibrated = try CommandRun(["calibrate", folder.path, "-o", place, "--json"] + board)
    #expect(calibrated.status == 0)
    let camera = try calibrated.document()
    #expect((530.0...531.6).contains(Self.number("fx", in: camera)))
    #expect((0.05..<1.5).contains(Self.number("focalSigma", in: camera)))
    #expect(camera["lens"] as? String == "none")

    let evaluation = try RealData.url("\(Self.root)/DepthEvalDataset/\(Self.device(5))").path
    let run = try CommandRun(
      ["verify", evaluation, "--json", "--calibration", "\(place)/calibration.json"] + board)
    // Wrong, but measurable after correction.
    #expect(run.status == 0)
    let document = try run.document()
    let value = { Self.number($0, in: document) }
    #expect(document["verdict"] as? String == "doesNotFit")
    #expect(abs(value("focal.factory") - 565.12) < 0.005)
    #expect((-6.2 ... -6.0).contains(100 * (value("focal.given") / value("focal.factory") - 1)))
    #expect(abs(value("depth.factory.medianMillimeters") + 13.8) < 0.5)
    #expect(abs(value("depth.measured.medianMillimeters")) < 1.5)
    #expect(abs(value("length.factoryPercent") + 6.6) < 0.1)
    #expect(abs(value("length.measuredPercent")) < 1)
    for key in [
      "depth.factory.plusMinusMillimeters", "depth.measured.plusMinusMillimeters",
      "length.factoryPlusMinusPercent", "length.plusMinusPercent", "focal.givenSigma",
    ] { #expect(value(key) > 0, "\(key)") }
  }

  @Test("4th generation: the factory fits through its inverse table, images are not rectified")
  func fourthGeneration() throws {
    let folder = try TemporaryFolder()
    try VerifyCommandTests.copy(
      "\(Self.root)/FrontCamCalibrationDataset/\(Self.device(4))", to: folder,
      frames: Self.third(from: 1))
    // The board and its side come from the images and the folder.
    let run = try CommandRun("verify", folder.path + "/", "--json")
    #expect(run.status == 0)
    let document = try run.document()
    #expect(document["verdict"] as? String == "fits")
    #expect(document["rectified"] as? String == "no")
    #expect(document["model"] as? String == "table-inverse")
    #expect(Self.number("board.squareMillimeters", in: document) == 20.875)
    #expect(
      CheckDocumentTests.value("board.dictionary", in: document) as? String
        == "DICT_ARUCO_ORIGINAL")
    #expect(CheckDocumentTests.value("board.layout", in: document) as? String == "legacy")
    // Without a lens the board's shape takes a part of it: 602.7 px with a flat board, less with a
    // bent one, and frames left out say that neither predicts.
    #expect((596...604).contains(Self.number("focal.measured", in: document)))
    let alone = try Self.model("focal", in: document)
    let through = try Self.model("table-inverse", in: document)
    #expect(Self.number("rmsPixels", in: through) <= 0.28)
    // 596.98 ± 1.2 px by OpenCV's corners of all frames; a third of the frames has a larger ±.
    let sigma = Self.number("sigma", in: through)
    #expect(abs(Self.number("focal", in: through) - 596.98) <= (sigma * sigma + 1.44).squareRoot())
    #expect((0.05..<2).contains(Self.number("sigma", in: through)))
    #expect(
      Self.number("leftOutRmsPixels", in: alone)
        > 1.5 * Self.number("leftOutRmsPixels", in: through))
    let forward = try Self.model("table-forward", in: document)
    #expect(Self.number("rmsPixels", in: forward) > 3 * Self.number("rmsPixels", in: through))
  }
}
