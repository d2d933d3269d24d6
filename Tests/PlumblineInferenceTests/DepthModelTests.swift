import Foundation
import PlumblineImages
import PlumblineInference
import PlumblineIO
import PlumblineModel
import PlumblineTestSupport
import Testing

/// The two networks that lie beside the checkout on some machines.
@Suite(
  .enabled(if: RealModels.folder != nil, "\(RealModels.absence)"),
  .enabled(if: RealModels.openVINO != nil, "\(RealModels.runtimeAbsence)"))
struct DepthModelTests {
  @Test func fastDepthGivesWhatItsAuthorsPublished() throws {
    let card = KnownModel.fastDepth.card
    let network = try network("fastdepth_nyu_224_f32.onnx", card, threads: 1)
    let output = try network.run([Tensor(shape: card.inputShape, values: try sample(card))])[0]
    #expect(output.shape == [1, 1, 224, 224])
    let published = FloatBytes.floats(
      [UInt8](try file("nyu_pred_fastdepth.npy").suffix(4 * 224 * 224)))
    // The authors' own pipeline resized otherwise, so that the numbers differ a little.
    #expect(correlation(output.values, published) >= 0.998)
  }

  @Test func aFileIsKnownByItsChecksum() throws {
    let known = KnownModel.with(
      sha256: SHA256Digest.hexadecimal(of: try file("fastdepth_nyu_224_f32.onnx")))
    #expect(known?.card.name == "fastdepth-nyu")
    #expect(known?.byteCount == (try file("fastdepth_nyu_224_f32.onnx")).count)
    let other = KnownModel.with(
      sha256: SHA256Digest.hexadecimal(of: try file("tcmonodepth_small_192x320.onnx")))
    #expect(other?.card.name == "tcmonodepth-small")
    #expect(other?.byteCount == (try file("tcmonodepth_small_192x320.onnx")).count)
  }

  @Test(.enabled(if: PythonPeer.has("onnxruntime"), "\(PythonPeer.absence("onnxruntime"))"))
  func anotherRuntimeGivesTheSame() throws {
    let card = KnownModel.tcMonoDepth.card
    let name = "tcmonodepth_small_192x320.onnx"
    let network = try network(name, card, threads: 2)
    var generator = SeededGenerator(seed: 4)
    let values = (0..<3 * 192 * 320).map { _ in Float.random(in: 0...255, using: &generator) }
    let output = try network.run([Tensor(shape: card.inputShape, values: values)])[0]
    let url = try #require(RealModels.folder).appending(path: name)
    let expected = try FloatBytes.withFile(values) { path in
      FloatBytes.floats(
        try PythonPeer.run("onnx_run.py", url.path, path, "1", "3", "192", "320"))
    }
    let worst = zip(output.values, expected).map { abs($0 - $1) }.max()
    let range = (expected.max() ?? 0) - (expected.min() ?? 0)
    // Both sum in 32-bit floats in another order; the values reach about 1.
    #expect(try #require(worst) <= 1e-4 * range, "worst \(worst ?? .nan) of range \(range)")
  }

  @Test func threadsChangeNothing() throws {
    let card = KnownModel.fastDepth.card
    let input = Tensor(shape: card.inputShape, values: try sample(card))
    let one = try network("fastdepth_nyu_224_f32.onnx", card, threads: 1).run([input])
    for threads in 2...4 {
      #expect(try network("fastdepth_nyu_224_f32.onnx", card, threads: threads).run([input]) == one)
    }
  }

  private func file(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: try #require(RealModels.folder).appending(path: name)))
  }

  private func network(
    _ file: String, _ card: ModelCard, threads: Int
  ) throws -> any NeuralNetwork {
    let store = ModelStore(folder: "/nowhere", runtimeOverride: RealModels.openVINO)
    let path = try #require(RealModels.folder).appending(path: file).path
    return try store.network(of: ModelFile(path: path), card: card, threads: threads)
  }

  /// The authors' sample frame as the card wants it: rows of RGB from 0 to 1.
  private func sample(_ card: ModelCard) throws -> [Float] {
    guard case .color(let image) = try PNGImage(try file("nyu_rgb.png")[...]) else { return [] }
    return image.samples.flatMap { [$0.red, $0.green, $0.blue].map { Float($0) / 255 } }
  }
}
