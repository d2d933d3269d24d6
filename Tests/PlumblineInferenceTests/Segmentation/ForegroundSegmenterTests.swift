import PlumblineIO
import PlumblineModel
import PlumblineTestSupport
import Testing

@testable import PlumblineInference

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Networks that say what of an image is in front: each law of their outputs, and what is refused.
@Suite struct ForegroundSegmenterTests {
  static let meanings = ModelCard.OutputMeaning.allCases.filter { $0.kind == .segmentation }

  /// Red says what is in front, as a network with made weights has it.
  private static let image = Raster<RGB8>(size: RasterSize(width: 5, height: 4)) { x, y in
    RGB8(red: UInt8(50 * x), green: UInt8(60 * y), blue: 7)
  }

  private static func redCard(
    _ meaning: ModelCard.OutputMeaning, _ layout: ModelCard.Layout = .nchw
  ) -> ModelCard {
    var card = ModelCard(
      name: "red", title: "red is in front", license: "MIT", origin: "a test",
      inputSize: image.size, layout: layout, outputMeaning: meaning)
    if meaning == .classScores { card.foregroundClasses = [1, 2] }
    return card
  }

  /// A 1 × 1 convolution, and a sigmoid where probabilities are wanted; of classes 3 scores.
  private static func network(_ meaning: ModelCard.OutputMeaning) -> ModelFile {
    var graph = ONNXGraphWriter()
    graph.input("image", shape: [1, 3, 4, 5])
    let weights: [Float] = meaning == .classScores ? [0, 0, 0, 4, 0, 0, 0, 2, 0] : [8, -2, 0]
    let kernel = graph.store("weights", shape: [weights.count / 3, 3, 1, 1], weights)
    let sum = graph.node("Conv", ["image", kernel])
    if meaning == .foregroundProbability {
      graph.node("Sigmoid", [sum], output: "mask")
    } else {
      graph.node("Identity", [sum], output: "mask")
    }
    graph.outputOfOpenShape("mask")
    return ModelFile(name: "red.onnx", bytes: graph.bytes(name: "red"))
  }

  /// What the likelihood of a pixel is, by hand.
  private static func expected(_ meaning: ModelCard.OutputMeaning, _ x: Int, _ y: Int) -> Double {
    let (red, green) = (Double(50 * x) / 255, Double(60 * y) / 255)
    guard meaning == .classScores else { return 1 / (1 + exp(-(8 * red - 2 * green))) }
    let scores = [exp(4 * red), exp(2 * green)]
    return (scores[0] + scores[1]) / (1 + scores[0] + scores[1])
  }

  private static let runtimes: [String] = [RealModels.openVINO, RealModels.onnxRuntime]
    .compactMap(\.self)

  @Test(
    .enabled(if: !runtimes.isEmpty, "\(RealModels.runtimeAbsence)"), arguments: meanings,
    [ImageOrientation.up, .right, .leftMirrored])
  func eachLawGivesTheNumbersComputedByHand(
    meaning: ModelCard.OutputMeaning, orientation: ImageOrientation
  ) throws {
    // The image is stored turned; the network sees it upright.
    let stored = Self.image.oriented(by: orientation.inverse)
    for folder in Self.runtimes {
      let runtime: any ModelFileRuntime =
        folder == RealModels.openVINO
        ? try OpenVINORuntime(folder: folder) : try ONNXRuntime(folder: folder)
      let network = try runtime.network(
        Self.network(meaning), inputShapes: [[1, 3, 4, 5]], threads: 1)
      let segmenter = try ForegroundSegmenter(
        network, card: Self.redCard(meaning), runtime: RuntimeDescription(runtime))
      #expect(segmenter.runtime?.device == "cpu" && segmenter.runtime?.version != nil)
      let found = try segmenter.likelihood(of: stored, orientation: orientation)
        .onImage.oriented(by: orientation)
      for y in 0..<4 {
        for x in 0..<5 {
          let wanted = Self.expected(meaning, x, y)
          #expect(
            abs(Double(found[x, y]) - wanted) < 1e-4, "\(meaning) \(x), \(y): \(found[x, y])")
        }
      }
    }
  }

  @Test func classesComeLastWhereChannelsDo() throws {
    var random = SeededGenerator(seed: 4)
    let scores = (0..<60).map { _ in Float.random(in: -200...200, using: &random) }
    let card = Self.redCard(.classScores, .nhwc)
    let network = FakeNetwork(card) { _ in Tensor(shape: [1, 4, 5, 3], values: scores) }
    let found = try ForegroundSegmenter(network, card: card)
      .likelihood(of: Self.image, orientation: .up).values
    for pixel in 0..<20 {
      let three = (0..<3).map { Double(scores[3 * pixel + $0]) }
      let most = three.max() ?? 0
      let parts = three.map { exp($0 - most) }
      let wanted = (parts[1] + parts[2]) / parts.reduce(0, +)
      #expect(abs(Double(found.samples[pixel]) - wanted) < 1e-5)
    }
  }

  @Test func hugeLogitsAreCertain() throws {
    let card = Self.redCard(.foregroundLogit)
    let network = FakeNetwork(card) { _ in
      Tensor(
        shape: [1, 1, 4, 5], values: (0..<20).map { $0 % 2 == 0 ? Float(1e30) : -Float(1e30) })
    }
    let found = try ForegroundSegmenter(network, card: card)
      .likelihood(of: Self.image, orientation: .up).values
    for (index, value) in found.samples.enumerated() {
      #expect(value == (index % 2 == 0 ? 1 : value) && value >= 0 && value <= 1)
      if index % 2 == 1 { #expect(value < 1e-30) }
    }
  }

  /// Networks that give something else than their card says, with a word of the reason.
  @Test(arguments: [
    (ModelCard.OutputMeaning.foregroundProbability, [1, 1, 4, 5], Float.nan, "finite"),
    (.foregroundLogit, [1, 1, 4, 5], .infinity, "finite"),
    (.foregroundProbability, [1, 1, 4, 5], 37, "0 to 1"),
    (.foregroundProbability, [1, 1, 4, 5], -0.5, "0 to 1"),
    (.foregroundProbability, [1, 20], 0.5, "rows and columns"),
    (.foregroundProbability, [1, 2, 2, 5], 0.5, "rows and columns"),
    (.foregroundLogit, [20], 0.5, "rows and columns"),
    (.classScores, [4, 5], 1, "classes"), (.classScores, [1, 2, 2, 5], 1, "class 2"),
    (.classScores, [1, 20, 1, 1], 1, "two rows"), (.classScores, [1, 3, 4, 5], .nan, "finite"),
  ])
  func aHostileNetworkIsRefused(
    meaning: ModelCard.OutputMeaning, shape: [Int], value: Float, word: String
  ) throws {
    let card = Self.redCard(meaning)
    let network = FakeNetwork(card) { _ in
      Tensor(shape: shape, values: [Float](repeating: value, count: shape.reduce(1, *)))
    }
    let error = #expect(throws: InferenceError.self) {
      try ForegroundSegmenter(network, card: card).likelihood(of: Self.image, orientation: .up)
    }
    #expect(error?.subject == "red" && error?.reason == .mismatch)
    #expect(error?.expected.contains(word) == true, "\(error?.expected ?? "none")")
  }

  @Test func aKindOfNetworkIsUsedForWhatItIs() throws {
    let depthCard = card(4, 4)
    let depth = FakeNetwork(depthCard) { _ in Tensor(shape: [4, 4], values: []) }
    #expect(throws: InferenceError.self) { try ForegroundSegmenter(depth, card: depthCard) }
    let maskCard = Self.redCard(.foregroundLogit)
    let mask = FakeNetwork(maskCard) { _ in Tensor(shape: [4, 4], values: []) }
    let error = #expect(throws: InferenceError.self) { try DepthEstimator(mask, card: maskCard) }
    #expect(error?.found.contains("segmentation") == true)
  }

  @Test func whatIsNotSeenIsMissing() throws {
    var card = Self.redCard(.foregroundProbability)
    card.inputSize = RasterSize(width: 4, height: 4)
    card.placement = .centerCrop
    let network = FakeNetwork(card) { _ in
      Tensor(shape: [1, 1, 4, 4], values: [Float](repeating: 0.25, count: 16))
    }
    let wide = Raster(
      size: RasterSize(width: 12, height: 4), repeating: RGB8(red: 1, green: 2, blue: 3))
    let found = try ForegroundSegmenter(network, card: card).likelihood(of: wide, orientation: .up)
    for x in 0..<12 {
      let value = found.onImage[x, 2]
      #expect((4..<8).contains(x) ? value == 0.25 : value.isNaN)
    }
  }

  @Test(arguments: [
    (#""output": {"meaning": "classScores"}"#, "output/foregroundClasses"),
    (
      #""output": {"meaning": "classScores", "foregroundClasses": [1, 1]}"#,
      "output/foregroundClasses"
    ),
    (
      #""output": {"meaning": "classScores", "foregroundClasses": [0.5]}"#,
      "output/foregroundClasses"
    ),
    (
      #""output": {"meaning": "classScores", "foregroundClasses": [1024]}"#,
      "output/foregroundClasses"
    ),
    (
      #""output": {"meaning": "foregroundLogit", "foregroundClasses": [1]}"#,
      "output/foregroundClasses"
    ),
    (#""output": {"meaning": "foregroundLogit"}, "kind": "depth""#, "kind"),
    (#""output": {"meaning": "meters"}, "kind": "segmentation""#, "kind"),
    (
      #""output": {"meaning": "foregroundLogit"}, "publishedError": {"rmseMeters": 1, "data": "a", "source": "b"}"#,
      "publishedError"
    ),
  ])
  func aFaultOfTheCardIsReportedWithItsPosition(members: String, place: String) throws {
    let text = """
      {"schema": "plumbline.model-card/1", "name": "a",
       "input": {"width": 4, "height": 5, "layout": "nchw"}, \(members)}
      """
    let error = #expect(throws: JSONReadingError.self) {
      try ModelCard(JSONValue(parsing: Array(text.utf8)))
    }
    #expect(error?.path.joined(separator: "/") == place)
  }

  @Test(arguments: meanings)
  func aCardReadsAsItWasWritten(meaning: ModelCard.OutputMeaning) throws {
    let card = Self.redCard(meaning)
    #expect(card.json["kind"]?.string == "segmentation")
    #expect(try ModelCard(card.json) == card)
  }
}
