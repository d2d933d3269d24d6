import Foundation
import Plumbline
import PlumblineTestSupport
import Testing

/// Networks for segmentation, from their installation to a background and a matte.
@Suite(
  .enabled(if: RealModels.openVINO != nil, "\(RealModels.runtimeAbsence)"),
  .enabled(if: RealModels.onnxRuntime != nil, "\(RealModels.secondRuntimeAbsence)"))
struct SegmentationCommandTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.put(Self.photo(), at: "photo.jpg")
    try folder.put(Self.network(bias: -4), at: "red.onnx")
    try folder.put(Array(Self.card().utf8), at: "red.json")
  }

  private var environment: [String: String] {
    [
      "PLUMBLINE_MODELS": folder.file("store"), "PLUMBLINE_OPENVINO": RealModels.openVINO ?? "",
      "PLUMBLINE_ONNXRUNTIME": RealModels.onnxRuntime ?? "",
    ]
  }

  /// A red subject, a gray table as near before it, and a wall.
  private static func photo() throws -> [UInt8] {
    let size = RasterSize(width: 64, height: 48)
    var photo = ApplePhoto(
      color: Raster(size: size) { x, y in
        (20..<44).contains(x) && y < 36
          ? RGB8(red: 220, green: 40, blue: 40) : RGB8(red: 90, green: 90, blue: 90)
      })
    var depth = ApplePhoto.DepthImage(
      codes: Raster(size: size) { x, y in
        (20..<44).contains(x) && y < 36 || y >= 36 ? 200 : 30
      },
      quantization: LinearQuantization(
        minimumCode: 0, maximumCode: 255, minimumValue: 0.5, maximumValue: 3))
    depth.accuracy = .absolute
    photo.depth = depth
    return try ApplePhotoWriter().bytes(of: photo)
  }

  /// Log odds of 12 · (red − green) and a bias.
  private static func network(bias: Float) -> [UInt8] {
    var graph = ONNXGraphWriter()
    graph.input("image", shape: [1, 3, 24, 32])
    let kernel = graph.store("weights", shape: [1, 3, 1, 1], [12, -12, 0])
    let offset = graph.store("bias", shape: [1], [bias])
    graph.node("Conv", ["image", kernel, offset], output: "mask")
    graph.outputOfOpenShape("mask")
    return graph.bytes(name: "red")
  }

  private static func card(_ meaning: String = "foregroundLogit", width: Int = 32) -> String {
    """
    {"schema": "plumbline.model-card/1", "name": "red", "title": "red is in front", "license": "MIT",
     "origin": "a test", "kind": "segmentation",
     "input": {"width": \(width), "height": 24, "layout": "nchw"}, "output": {"meaning": "\(meaning)"}}
    """
  }

  private func run(_ arguments: String...) throws -> CommandRun {
    try CommandRun(arguments, environment: environment)
  }

  private func background(_ arguments: String...) throws -> CommandRun {
    try CommandRun(
      ["effect", "background", folder.file("photo.jpg"), "--color", "00ff00", "--json", "--force"]
        + arguments + ["-o", folder.file("out.png")], environment: environment)
  }

  private func pixel(_ x: Int, _ y: Int) throws -> RGB8 {
    let bytes = try #require(folder.bytes("out.png"))
    return try StereoImageReader(threads: 1).image(from: bytes).color[x, y]
  }

  private func importNetwork() throws {
    let imported = try run(
      "models", "import", folder.file("red.onnx"), "--card", folder.file("red.json"))
    #expect(imported.status == 0, "\(imported.message)")
  }

  @Test func withoutANetworkDepthDecidesAndSaysWhatWouldHelp() throws {
    let run = try background()
    #expect(run.status == 0, "\(run.message)")
    let document = try run.document()
    let foreground = try #require(document["foreground"] as? [String: Any])
    #expect(foreground["by"] as? String == "depth")
    let findings = try #require(document["findings"] as? [[String: Any]])
    let finding = try #require(
      findings.first { $0["code"] as? String == "photo.foregroundByDepth" })
    #expect("\(finding)".contains("segmentForeground"), "\(finding)")
    // The table is in front too.
    #expect(try pixel(5, 44).green < 200)
    let chosen = try background("--mask", "depth")
    #expect(!chosen.text.contains("foregroundByDepth"))
    let text = try CommandRun(
      [
        "effect", "background", folder.file("photo.jpg"), "-o", folder.file("cut.png"),
      ], environment: environment)
    #expect(text.text.contains("→ plumbline models install openvino u2netp"), "\(text.text)")
  }

  @Test(arguments: RuntimeChoice.allCases.prefix(2))
  func anInstalledNetworkIsUsedAndNamed(runtime: RuntimeChoice) throws {
    try importNetwork()
    let run = try background("--runtime", runtime.rawValue)
    #expect(run.status == 0, "\(run.message)")
    let document = try run.document()
    let foreground = try #require(document["foreground"] as? [String: Any])
    #expect(foreground["by"] as? String == "network")
    let network = try #require(foreground["network"] as? [String: Any])
    #expect(network["name"] as? String == "red" && network["license"] as? String == "MIT")
    #expect((network["sha256"] as? String)?.count == 64)
    let used = try #require(network["runtime"] as? [String: Any])
    #expect(
      used["name"] as? String == (runtime == .openVINO ? "OpenVINO" : "ONNX Runtime")
        && used["device"] as? String == "cpu" && used["version"] is String, "\(used)")
    // A quarter of the image is the table, which only depth puts in front.
    let share = try #require(foreground["disagreementShare"] as? Double)
    #expect(abs(share - 0.25) < 0.03, "\(share)")
    #expect(run.text.contains("photo.foregroundDisputed"))
    #expect(try pixel(32, 20).red > 150 && pixel(5, 44).green > 240 && pixel(5, 10).green > 240)
    let mattes = try CommandRun(
      [
        "effect", "mattes", folder.file("photo.jpg"), "-o", folder.file("mattes"), "--json",
        "--runtime", runtime.rawValue,
      ], environment: environment)
    #expect(mattes.status == 0, "\(mattes.message)")
    let decided = try #require(try mattes.document()["foreground"] as? [String: Any])
    #expect(decided["by"] as? String == "network")
  }

  @Test func aFileIsNamedWithItsCard() throws {
    let run = try background(
      "--network", folder.file("red.onnx"), "--card", folder.file("red.json"))
    #expect(run.status == 0, "\(run.message)")
    #expect(run.text.contains(#""by": "network""#) || run.text.contains(#""by":"network""#))
    #expect(try background("--network", "red", "--mask", "depth").status == 64)
    #expect(try background("--card", folder.file("red.json")).status == 64)
  }

  @Test func aNetworkThatCannotBeUsedIsRefusedOrLeftOutWithItsReason() throws {
    // Log odds taken for probabilities.
    try folder.put(Array(Self.card("foregroundProbability").utf8), at: "wrong.json")
    let named = try background(
      "--network", folder.file("red.onnx"), "--card", folder.file("wrong.json"))
    #expect(named.status == 65)
    #expect(named.message.contains("probabilities of 0 to 1"), "\(named.message)")
    #expect(folder.bytes("out.png") == nil)
    // Another shape than the card says.
    try folder.put(Array(Self.card(width: 40).utf8), at: "wide.json")
    let wide = try background(
      "--network", folder.file("red.onnx"), "--card", folder.file("wide.json"))
    #expect(wide.status == 65 && wide.message.contains("1×3×24×40"), "\(wide.message)")
    // Not installed: the message says how to get one.
    let absent = try background("--mask", "network")
    #expect(absent.status == 66 && absent.message.contains("models install"), "\(absent.message)")
    // Merely installed: depth decides, and the finding has the reason.
    let imported = try run(
      "models", "import", folder.file("red.onnx"), "--card", folder.file("wrong.json"))
    #expect(imported.status == 0, "\(imported.message)")
    let left = try background()
    #expect(left.status == 0, "\(left.message)")
    #expect(
      left.text.contains("probabilities of 0 to 1") && left.text.contains("foregroundByDepth"))
  }

  @Test func eachKindIsListedAndUsedForWhatItIs() throws {
    try importNetwork()
    let list = try #require(
      try run("models", "list", "--json").document()["models"] as? [[String: Any]])
    func kind(_ name: String) -> String? {
      list.first { $0["name"] as? String == name }?["kind"] as? String
    }
    #expect(kind("red") == "segmentation" && kind("u2netp") == "segmentation")
    #expect(kind("fastdepth-nyu") == "depth" && kind("face") == "face")
    let estimate = try run(
      "estimate", folder.file("photo.jpg"), "--network", "red", "-o", folder.file("depth"))
    #expect(estimate.status == 65, "\(estimate.message)")
    #expect(estimate.message.contains("network for depth"), "\(estimate.message)")
    // Without a name the network for segmentation is not taken for depth.
    let unnamed = try run("estimate", folder.file("photo.jpg"), "-o", folder.file("depth"))
    #expect(unnamed.status == 66 && !unnamed.message.contains("red"), "\(unnamed.message)")
    let depth = try background("--network", folder.file("red.onnx"), "--card", depthCard())
    #expect(depth.status == 65 && depth.message.contains("network for segmentation"))
  }

  private func depthCard() throws -> String {
    let text = Self.card("meters").replacing(#""kind": "segmentation","#, with: "")
    try folder.put(Array(text.utf8), at: "depth.json")
    return folder.file("depth.json")
  }
}
