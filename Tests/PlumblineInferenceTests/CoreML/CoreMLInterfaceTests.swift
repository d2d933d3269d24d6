import PlumblineModel
import Testing

@testable import PlumblineInference

@Suite struct CoreMLInterfaceTests {
  private let small = RasterSize(width: 304, height: 228)

  private func interface(
    _ input: CoreMLInterface.Kind, _ outputs: (String, CoreMLInterface.Kind)...
  ) -> CoreMLInterface {
    CoreMLInterface(
      inputs: [.init(name: "image", kind: input)],
      outputs: outputs.map { .init(name: $0.0, kind: $0.1) })
  }

  /// Apple's FCRN: an image of 304 × 228, one map of 128 × 160 in meters.
  @Test(arguments: [[1, 128, 160], [128, 160], [1, 1, 128, 160]] as [[Int?]])
  func applesFCRNIsKnown(shape: [Int?]) throws {
    let found = interface(.colorImage(small), ("depthmap", .array(shape)))
    let card = try #require(found.knownCard)
    #expect(card.outputMeaning == .meters && card.outputName == "depthmap")
    #expect(card.inputShape == [1, 3, 228, 304] && card.keepsImageCodes)
    #expect(card.publishedError?.rmseMeters == 0.573)
    #expect(try found.inputTensors(of: "FCRN").map(\.fixedShape) == [[1, 3, 228, 304]])
  }

  @Test func otherModelsAreNotFCRN() {
    let map = CoreMLInterface.Kind.array([1, 128, 160])
    #expect(interface(.grayImage(small), ("depthmap", map)).knownCard == nil)
    #expect(
      interface(.colorImage(small.transposed), ("depthmap", map)).knownCard == nil)
    #expect(interface(.colorImage(small), ("depthmap", .array([1, 160, 128]))).knownCard == nil)
    #expect(interface(.colorImage(small), ("depthmap", .array([]))).knownCard == nil)
    #expect(interface(.colorImage(small), ("a", map), ("b", map)).knownCard == nil)
  }

  @Test func theOnlyMapIsTheDepth() throws {
    let found = interface(
      .colorImage(RasterSize(width: 518, height: 392)),
      ("depth", .grayImage(RasterSize(width: 518, height: 392))), ("score", .array([1])))
    let card = try found.card(named: "any", title: "Any", meaning: .relativeInverse)
    #expect(card.outputName == "depth" && card.keepsImageCodes)
    #expect(card.inputSize == RasterSize(width: 518, height: 392))
    #expect(found.mapNames == ["depth"] && found.knownCard == nil)
    #expect(try found.outputTensors(of: "any").map(\.shape) == [[392, 518], [1]])
  }

  @Test func severalMapsNeedAName() throws {
    let found = interface(
      .colorImage(small), ("b", .array([1, 10, 20])), ("a", .array([nil, nil])),
      ("c", .array([2, 3, 4])))
    #expect(found.mapNames == ["a", "b"])
    #expect(throws: InferenceError.self) {
      try found.card(named: "m", title: "M", meaning: .meters)
    }
    #expect(throws: InferenceError.self) {
      try found.card(named: "m", title: "M", meaning: .meters, outputName: "c")
    }
    let card = try found.card(named: "m", title: "M", meaning: .meters, outputName: "b")
    #expect(card.outputName == "b")
  }

  @Test func typesThatCannotBeRunAreNamed() throws {
    let text = interface(.other("a text"), ("map", .array([4, 4])))
    let error = #expect(throws: InferenceError.self) { try text.inputTensors(of: "words") }
    #expect(error?.reason == .unsupported && error?.found == "image: a text")
    #expect(throws: InferenceError.self) {
      try interface(.grayImage(small), ("map", .array([4, 4]))).inputTensors(of: "gray")
    }
    #expect(throws: InferenceError.self) {
      try interface(.colorImage(small), ("map", .colorImage(small))).outputTensors(of: "color")
    }
    let pair = CoreMLInterface(
      inputs: [.init(name: "b", kind: .colorImage(small)), .init(name: "a", kind: .array([1]))],
      outputs: [])
    #expect(pair.inputs.map(\.name) == ["a", "b"] && pair.imageSize == nil)
    #expect(throws: InferenceError.self) { try pair.inputTensors(of: "pair") }
    let missing = #expect(throws: InferenceError.self) {
      try pair.card(named: "pair", title: "Pair", meaning: .meters)
    }
    #expect(missing?.need == .card)
  }

  @Test func filesGiveNames() {
    let names = [
      "FCRNFP16.mlmodel": "fcrnfp16", "Depth Anything V2.mlpackage": "depth-anything-v2",
      ".mlmodel": "mlmodel", "Tiefe_1.mlmodelc": "tiefe_1", "深度.mlmodel": "model", "": "model",
    ]
    for (file, name) in names { #expect(ModelCard.name(ofFile: file) == name) }
    let long = ModelCard.name(ofFile: String(repeating: "a", count: 200) + ".mlmodel")
    #expect(long.utf8.count == 64 && ModelCard.isName(long))
  }
}
