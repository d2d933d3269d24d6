import Foundation
import PlumblineIO
import PlumblineTestSupport
import Testing

@testable import PlumblineInference

/// What the second runtime does, beside the first.
@Suite(.enabled(if: RealModels.onnxRuntime != nil, "\(RealModels.secondRuntimeAbsence)"))
struct ONNXRuntimeTests {
  private func runtime(_ provider: ONNXRuntime.Provider = .cpu) throws -> ONNXRuntime {
    try ONNXRuntime(folder: try #require(RealModels.onnxRuntime), provider: provider)
  }

  @Test func anAbsentProviderIsNamed() throws {
    // PyPI's wheel for processors has neither.
    for (provider, word) in [(ONNXRuntime.Provider.cuda, "CUDA"), (.coreML, "CoreML")] {
      let absent = #expect(throws: InferenceError.self) {
        try runtime(provider).network(SmallNetworks.weighted(), inputShapes: [], threads: 1)
      }
      #expect(absent?.reason == .unsupported)
      #expect(absent?.found.contains(word) == true, "\(absent?.found ?? "")")
    }
  }

  @Test func aTFLiteModelNeedsTheOtherRuntime() throws {
    let error = #expect(throws: InferenceError.self) {
      try runtime().network(WarmUpNetwork.tflite, inputShapes: [], threads: 1)
    }
    #expect(error?.reason == .unsupported)
    #expect(error?.found.contains("TFLite") == true)
  }

  @Test func theStoreTakesWhatIsChosen() throws {
    var store = ModelStore(folder: "/nowhere")
    store.onnxRuntimeOverride = RealModels.onnxRuntime
    // Without a choice it is the one that is installed.
    #expect(try store.runtime().name == "ONNX Runtime 1.32.0")
    store.runtimeChoice = .openVINO
    #expect(throws: InferenceError.self) { try store.runtime() }
    store.onnxRuntimeOverride = nil
    store.runtimeChoice = .onnxRuntime
    let error = #expect(throws: InferenceError.self) { try store.runtime() }
    #expect(error?.need == .secondRuntime && error?.reason == .notInstalled)
  }

  @Test(.enabled(if: RealModels.openVINO != nil, "\(RealModels.runtimeAbsence)"))
  func bothRuntimesGiveTheSameOfSmallNetworks() throws {
    var generator = SeededGenerator(seed: 21)
    for _ in 0..<4 {
      let weights = (0..<3).map { _ in Float.random(in: 0.1...1, using: &generator) }
      let file = SmallNetworks.weighted(weights, shape: [1, 3, 31, 17])
      let values = (0..<3 * 31 * 17).map { _ in Float.random(in: 0...255, using: &generator) }
      let input = Tensor(shape: [1, 3, 31, 17], values: values)
      let first = try OpenVINORuntime(folder: try #require(RealModels.openVINO))
        .network(file, inputShapes: [], threads: 1).run([input])[0]
      let second = try runtime().network(file, inputShapes: [], threads: 1).run([input])[0]
      #expect(first.shape == second.shape)
      #expect(worst(first, second) <= 1e-4)
    }
  }

  @Test(
    .enabled(if: RealModels.openVINO != nil, "\(RealModels.runtimeAbsence)"),
    .enabled(if: RealModels.folder != nil, "\(RealModels.absence)"),
    arguments: ["fastdepth_nyu_224_f32.onnx", "tcmonodepth_small_192x320.onnx"])
  func bothRuntimesGiveTheSameOfDepthNetworks(name: String) throws {
    let path = try #require(RealModels.folder).appending(path: name).path
    let file = try ModelFile(path: path)
    let known = try #require(
      KnownModel.with(sha256: SHA256Digest.hexadecimal(of: file.bytes)))
    var generator = SeededGenerator(seed: 22)
    let shape = known.card.inputShape
    let scale = Float(255 * known.card.factor)
    let values = (0..<shape.reduce(1, *)).map { _ in Float.random(in: 0...scale, using: &generator)
    }
    let input = Tensor(shape: shape, values: values)
    let first = try OpenVINORuntime(folder: try #require(RealModels.openVINO))
      .network(file, inputShapes: [shape], threads: 2).run([input])[0]
    var outputs: [Tensor] = []
    for threads in [1, 2] {
      outputs.append(
        try runtime().network(file, inputShapes: [shape], threads: threads).run([input])[0])
    }
    // Sums run in another order; the worst difference is a share of the range.
    #expect(worst(first, outputs[0]) <= 1e-4)
    #expect(outputs[0] == outputs[1], "the count of threads changes nothing")
  }

  /// The largest difference as a share of the range of the first.
  private func worst(_ first: Tensor, _ second: Tensor) -> Float {
    let range = (first.values.max() ?? 0) - (first.values.min() ?? 0)
    let worst = zip(first.values, second.values).map { abs($0 - $1) }.max() ?? .infinity
    return worst / range
  }
}
