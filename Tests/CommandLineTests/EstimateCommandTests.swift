import Foundation
import Plumbline
import PlumblineTestSupport
import Testing

/// `estimate` and `evaluate`, from the command line to the files.
@Suite(.serialized) struct EstimateCommandTests {
  private static let canEstimate = RealModels.folder != nil && RealModels.openVINO != nil
  private static let absence = "\(RealModels.absence); \(RealModels.runtimeAbsence)"

  private static var fastDepth: String {
    RealModels.folder?.appending(path: "fastdepth_nyu_224_f32.onnx").path ?? ""
  }

  private static func estimate(_ arguments: String...) throws -> CommandRun {
    try CommandRun(
      ["estimate", "--network", fastDepth] + arguments,
      environment: ["PLUMBLINE_OPENVINO": RealModels.openVINO ?? ""])
  }

  @Test(.enabled(if: canEstimate, "\(absence)"))
  func anEstimateIsRelativeUntilItIsFitted() throws {
    let folder = try TemporaryFolder()
    try folder.put(SampleCapture.small(), at: "small.jpg")
    let plain = try Self.estimate(
      folder.file("small.jpg"), "--fit-to", "none", "-o", folder.file("plain"), "--json")
    #expect(plain.status == 0, "\(plain.message)")
    let document = try plain.document()
    #expect(document["schema"] as? String == "plumbline.estimate/1")
    #expect(document["values"] as? String == "metersAsEstimated")
    #expect(document["verdict"] as? String == "relative")
    #expect(document["fit"] is NSNull)
    // What is written is a capture like any other, and says the same of itself.
    let check = try CommandRun("check", folder.file("plain/capture.mcap"), "--json")
    #expect(check.status == 1, "\(check.message)")
    #expect(check.text.contains("estimate.unfitted") && check.text.contains("fastdepth-nyu"))
    // An image of no scene at all has a depth that no estimate guesses: the fit is refused or
    // fitted, and says which.
    let fitted = try Self.estimate(
      folder.file("small.jpg"), "--fit-to", "sensor", "-o", folder.file("fitted"), "--json")
    #expect(fitted.status == 0, "\(fitted.message)")
    let fit = try #require(try fitted.document()["fit"] as? [String: Any])
    #expect(fit["to"] as? String == "sensor depth")
    #expect((fit["believed"] as? Bool == true) == (fit["refusal"] is NSNull))
    // Fitted or not, nothing calls it measurable without saying that it is an estimate.
    let told = try CommandRun("check", folder.file("fitted/capture.mcap"))
    #expect(
      told.text.hasPrefix(
        fit["believed"] as? Bool == true ? "ESTIMATE, NOT MEASURED" : "RELATIVE ONLY"))
    // The same input gives the same bytes.
    let again = try Self.estimate(
      folder.file("small.jpg"), "--fit-to", "none", "-o", folder.file("again"), "--quiet")
    #expect(again.status == 0 && again.output.isEmpty)
    for name in ["depth.npy", "estimate.json", "capture.mcap", "depth-colors.png"] {
      let bytes = try #require(folder.bytes("plain/" + name), "\(name)")
      #expect(bytes == folder.bytes("again/" + name), "\(name)")
    }
  }

  @Test(.enabled(if: canEstimate, "\(absence)"))
  func aLiveCameraIsEstimatedWithoutAQueue() throws {
    let folder = try TemporaryFolder()
    let run = try Self.estimate(
      "--source", "simulated", "--size", "80x60", "--fps", "4", "--frames", "2", "--fit-to", "none",
      "-o", folder.file("live"), "--json")
    #expect(run.status == 0, "\(run.message)")
    let document = try run.document()
    #expect(document["estimated"] as? Int == 2)
    let received = try #require(document["received"] as? Int)
    let dropped = try #require(document["dropped"] as? Int)
    #expect(received == 2 + dropped, "every frame is estimated or counted")
    #expect(folder.bytes("live/capture.mcap") != nil)
  }

  @Test(.enabled(if: canEstimate, "\(absence)"))
  func aBoardIsFittedToByTheCameraThatIsGiven() throws {
    let folder = try TemporaryFolder()
    let photo = BoardPhoto()
    try folder.put(PNGEncoder().encoded(photo.image), at: "board.png")
    let (f, c) = (photo.intrinsics.focalLength, photo.intrinsics.principalPoint)
    let camera = """
      {"width": \(photo.size.width), "height": \(photo.size.height),
       "intrinsic_matrix": [\(f.x), 0, 0, 0, \(f.y), 0, \(c.x), \(c.y), 1]}
      """
    try folder.put(Array(camera.utf8), at: "camera.json")
    let board = ["--board", "chessboard:7x5:30mm"]
    let blind = try CommandRun(
      [
        "estimate", "--network", Self.fastDepth, folder.file("board.png"), "-o",
        folder.file("blind"),
      ]
        + board, environment: ["PLUMBLINE_OPENVINO": RealModels.openVINO ?? ""])
    #expect(blind.status == 65 && blind.message.contains("--calibration"), "\(blind.message)")
    #expect(folder.bytes("blind/estimate.json") == nil)
    let run = try CommandRun(
      ["estimate", "--network", Self.fastDepth, folder.file("board.png"), "-o", folder.file("out")]
        + board + ["--calibration", folder.file("camera.json"), "--json"],
      environment: ["PLUMBLINE_OPENVINO": RealModels.openVINO ?? ""])
    #expect(run.status == 0, "\(run.message)")
    let document = try run.document()
    let fit = try #require(document["fit"] as? [String: Any])
    #expect(fit["to"] as? String == "a board")
    // 6 × 4 corners.
    #expect(fit["places"] as? Int == 24)
    let written = try #require(folder.bytes("out/calibration.json"))
    let calibration = try JSONSerialization.jsonObject(with: Data(written)) as? [String: Any]
    let map = try #require(calibration?["depthMap"] as? [String: Any])
    #expect(map["fx"] as? Double == f.x && map["cy"] as? Double == c.y)
    let other = try Self.estimate(
      folder.file("board.png"), "--calibration", folder.file("board.png"), "-o",
      folder.file("other"))
    #expect(other.status == 65 && other.message.contains("board.png"), "\(other.message)")
  }

  @Test(
    .enabled(if: RealModels.openVINO != nil, "\(RealModels.runtimeAbsence)"),
    .enabled(
      if: PythonPeer.has("flatbuffers", "numpy"), "\(PythonPeer.absence("flatbuffers"))"))
  func aTFLiteFileIsImportedByItsCardAndEstimates() throws {
    let folder = try TemporaryFolder()
    _ = try PythonPeer.run("tflite_network.py", folder.path)
    try folder.put(SampleCapture.small(), at: "small.jpg")
    let card = """
      {"schema": "plumbline.model-card/1", "name": "phone-depth", "title": "a small network",
       "license": "MIT", "origin": "a test",
       "input": {"width": 32, "height": 24, "layout": "nhwc"}, "output": {"meaning": "meters"}}
      """
    try folder.put(Array(card.utf8), at: "card.json")
    let environment = [
      "PLUMBLINE_MODELS": folder.file("store"), "PLUMBLINE_OPENVINO": RealModels.openVINO ?? "",
    ]
    let bare = try CommandRun(
      ["models", "import", folder.file("depth.tflite")], environment: environment)
    #expect(bare.status == 65 && bare.message.contains("--card"), "\(bare.message)")
    let stored = try CommandRun(
      ["models", "import", folder.file("depth.tflite"), "--card", folder.file("card.json")],
      environment: environment)
    #expect(stored.status == 0, "\(stored.message)")
    #expect(folder.bytes("store/models/phone-depth/model.tflite") != nil)
    let run = try CommandRun(
      [
        "estimate", "--network", "phone-depth", folder.file("small.jpg"), "--fit-to", "none", "-o",
        folder.file("out"), "--json",
      ], environment: environment)
    #expect(run.status == 0, "\(run.message)")
    #expect(try run.document()["values"] as? String == "metersAsEstimated")
    #expect(folder.bytes("out/depth.npy") != nil)
  }

  @Test func withoutAModelTheMessageSaysWhatInstallsIt() throws {
    let folder = try TemporaryFolder()
    try folder.put(SampleCapture.small(), at: "small.jpg")
    let run = try CommandRun(
      ["estimate", folder.file("small.jpg"), "-o", folder.file("out")],
      environment: ["PLUMBLINE_MODELS": folder.file("none"), "PLUMBLINE_OPENVINO": ""])
    #expect(run.status == 66)
    #expect(run.message.contains("plumbline models"))
    #expect(folder.bytes("out/estimate.json") == nil)
  }

  @Test func wrongUsageIsRefused() throws {
    for arguments in [
      ["estimate", "-o", "out"], ["estimate", "a.jpg", "--source", "simulated", "-o", "out"],
      ["estimate", "a.jpg", "--seconds", "2", "-o", "out"],
      ["evaluate", "a.npy", "b.npy", "--cap", "0"],
      ["evaluate", "a.npy", "b.npy", "--align", "best"],
    ] { #expect(try CommandRun(arguments).status == 64, "\(arguments)") }
  }

  @Test func evaluationJudgesArraysAndSaysWhatIsWrongWithThem() throws {
    let folder = try TemporaryFolder()
    let size = RasterSize(width: 64, height: 48)
    let truth = Raster<Float>(size: size) { (x: Int, y: Int) -> Float in
      1 + Float(x) / 16 + Float(y / 16)
    }
    try folder.put(NPYWriter().bytes(truth), at: "truth.npy")
    try folder.put(NPYWriter().bytes(truth.map { $0 * 1.1 }), at: "pred.npy")
    try folder.put(NPYWriter().bytes(truth.map { 1 / $0 }), at: "inverse.npy")
    let codes256: Raster<UInt16> = truth.map { UInt16(($0 * 256).rounded()) }
    try folder.put(PNGEncoder().encoded(codes256), at: "truth.png")
    let run = try CommandRun(
      "evaluate", folder.file("pred.npy"), folder.file("truth.npy"), "-o", folder.file("out"),
      "--json")
    #expect(run.status == 0, "\(run.message)")
    let document = try run.document()
    #expect(document["schema"] as? String == "plumbline.evaluate/1")
    let errors = try #require(document["errors"] as? [String: Any])
    #expect(abs((errors["absRel"] as? Double ?? 0) - 0.1) < 1e-6)
    #expect(errors["delta1"] as? Double == 1)
    for name in ["evaluation.html", "error.png", "evaluation.json"] {
      #expect(folder.bytes("out/" + name)?.isEmpty == false)
    }
    let codes = try CommandRun(
      "evaluate", folder.file("inverse.npy"), folder.file("truth.png"), "--prediction-kind",
      "disparity", "--codes-per-meter", "256", "--json")
    #expect(codes.status == 0, "\(codes.message)")
    let exact = try #require(try codes.document()["errors"] as? [String: Any])
    // Codes of 1/256 m.
    #expect((exact["rmseMeters"] as? Double ?? 1) < 0.002)
    try folder.put(
      NPYWriter().bytes(Raster(size: RasterSize(width: 9, height: 9), repeating: Float(1))),
      at: "square.npy")
    #expect(
      try CommandRun("evaluate", folder.file("square.npy"), folder.file("truth.npy")).status == 65)
    #expect(
      try CommandRun("evaluate", folder.file("none.npy"), folder.file("truth.npy")).status == 66)
  }
}
