import Foundation
import PlumblineInference
import PlumblineTestSupport
import Testing

/// FCRN's weights in both forms, and Core ML networks of each kind of layer, against their definition
/// in numpy.
@Suite(
  .enabled(if: RealModels.openVINO != nil, "\(RealModels.runtimeAbsence)"))
struct ConversionTests {
  /// The network as its authors have it has 63.6 million weights; here its channels are divided.
  private static let divisor = "16"

  @Test(.enabled(if: PythonPeer.has("coremltools"), "\(PythonPeer.absence("coremltools"))"))
  func eachCoreMLLayerComputesWhatItsDefinitionSays() throws {
    let folder = try TemporaryFolder()
    let list = try PythonPeer.run("coreml_networks.py", folder.path, Self.divisor)
    let lines = String(decoding: list, as: UTF8.self).split(separator: "\n")
    #expect(lines.count > 60)
    for line in lines {
      let parts = line.split(separator: " ")
      let shape = [1, 3] + parts.dropFirst().compactMap { Int($0) }
      try compare(String(parts[0]), in: folder, "mlmodel", shape)
    }
  }

  @Test(
    .enabled(if: PythonPeer.has("numpy"), "\(PythonPeer.absence("numpy"))"),
    arguments: ["2", "4", "python2"])
  func theAuthorsWeightsComputeWhatTheAuthorsNetworkDoes(protocolNumber: String) throws {
    let folder = try TemporaryFolder()
    _ = try PythonPeer.run(
      "fcrn_weights.py", folder.file("fcrn.npy"), folder.file("fcrn.input.f32"),
      folder.file("fcrn.expected.f32"),
      Self.divisor, protocolNumber)
    try compare("fcrn", in: folder, "npy", [1, 3, 228, 304])
  }

  @Test(.enabled(if: PythonPeer.has("numpy"), "\(PythonPeer.absence("numpy"))"))
  func aLayerThatFCRNDoesNotHaveStopsWithItsName() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("odd.npy")
    let code = """
      import sys
      sys.path.insert(0, sys.argv[2])
      import fcrn_weights as f
      layers = f.weights(64)
      layers["my_layer"] = {"weights": layers["conv1"]["weights"]}
      f.save(sys.argv[1], layers, 2)
      """
    _ = try PythonPeer.evaluate(
      code, path, PackageRoot.url.appending(path: "Tests/Oracles").path)
    let error = #expect(throws: InferenceError.self) {
      try ModelFile(path: path).converted()
    }
    #expect(error?.reason == .unsupported)
    #expect(error?.subject == "odd.npy/my_layer")
  }

  /// Converts a file, runs it and compares the result with what a peer computed in 64-bit floats.
  private func compare(
    _ name: String, in folder: TemporaryFolder, _ ending: String, _ shape: [Int]
  ) throws {
    func floats(_ kind: String) throws -> [Float] {
      FloatBytes.floats(
        try #require(folder.bytes("\(name).\(kind).f32")))
    }
    let file = try ModelFile(path: folder.file("\(name).\(ending)"))
    let model = try #require(try file.converted())
    let runtime = try OpenVINORuntime(folder: try #require(RealModels.openVINO))
    let network = try runtime.network(
      ModelFile(name: name, bytes: model.bytes), inputShapes: [], threads: 1)
    let output = try network.run([Tensor(shape: shape, values: try floats("input"))])[0]
    let expected = try floats("expected")
    #expect(output.values.count == expected.count, "\(name)")
    // Sums in 32-bit floats, relative to the maximum value; half floats keep 11 bits of each weight.
    let maximum = expected.map { abs($0) }.max() ?? 0
    let worst = zip(output.values, expected).map { abs($0 - $1) }.max() ?? .nan
    #expect(worst <= maximum * (name.hasSuffix("half") ? 5e-3 : 2e-5), "\(name): \(worst)")
  }
}
