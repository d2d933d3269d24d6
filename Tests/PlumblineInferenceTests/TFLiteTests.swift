import PlumblineInference
import PlumblineModel
import PlumblineTestSupport
import Testing

/// A TFLite network of the kinds of layers that depth networks for phones have, against numpy.
@Suite(
  .enabled(if: RealModels.openVINO != nil, "\(RealModels.runtimeAbsence)"),
  .enabled(
    if: PythonPeer.has("flatbuffers", "numpy"), "\(PythonPeer.absence("flatbuffers"))"))
struct TFLiteTests {
  private static let card = ModelCard(
    name: "small", title: "a small network", license: "MIT", origin: "a test",
    inputSize: RasterSize(width: 32, height: 24), layout: .nhwc, outputMeaning: .meters)

  private func file(in folder: TemporaryFolder) throws -> ModelFile {
    _ = try PythonPeer.run("tflite_network.py", folder.path)
    return try ModelFile(path: folder.file("depth.tflite"))
  }

  private func network(_ file: ModelFile, _ card: ModelCard) throws -> any NeuralNetwork {
    let store = ModelStore(folder: "/nowhere", runtimeOverride: RealModels.openVINO)
    return try store.network(of: file, card: card, threads: 1)
  }

  @Test func itComputesWhatItsDefinitionSays() throws {
    let folder = try TemporaryFolder()
    let file = try file(in: folder)
    #expect(try file.format() == .tflite)
    let model = try TFLiteModel(file.bytes)
    #expect(model.version == 3 && model.graphCount == 1 && model.bufferCount == 9)
    let network = try network(file, Self.card)
    func floats(_ kind: String) throws -> [Float] {
      FloatBytes.floats(try #require(folder.bytes("depth.\(kind).f32")))
    }
    let output = try network.run([Tensor(shape: [1, 24, 32, 3], values: try floats("input"))])[0]
    let expected = try floats("expected")
    #expect(output.values.count == expected.count)
    // Sums of 27 and 72 products in 32-bit floats; values of 0.25 to 0.8.
    for (one, other) in zip(output.values, expected) { #expect(abs(one - other) < 1e-5) }
  }

  @Test func aCardOfAnotherShapeIsRefused() throws {
    let folder = try TemporaryFolder()
    let file = try file(in: folder)
    var planar = Self.card
    planar.layout = .nchw
    var large = Self.card
    large.inputSize = RasterSize(width: 64, height: 48)
    for card in [planar, large] {
      #expect(throws: InferenceError.self) { _ = try network(file, card) }
    }
  }

  @Test func noDamageOfItReachesTheRuntimeUnchecked() throws {
    let folder = try TemporaryFolder()
    let file = try file(in: folder)
    for count in stride(from: 0, to: file.bytes.count, by: 97) {
      let cut = ModelFile(name: "cut.tflite", bytes: Array(file.bytes.prefix(count)))
      #expect(throws: InferenceError.self, "\(count) bytes") { try cut.check() }
    }
  }
}
