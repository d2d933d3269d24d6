import PlumblineTestSupport
import Testing

@testable import PlumblineInference

/// The runtimes of this machine.
enum TestRuntimes {
  static let all: [InstalledRuntime] = InstalledRuntime.allCases.filter {
    ($0 == .openVINO ? RealModels.openVINO : RealModels.onnxRuntime) != nil
  }
}

/// What every runtime does with shapes, odd numbers and several threads.
@Suite(.enabled(if: !TestRuntimes.all.isEmpty, "\(RealModels.runtimeAbsence)"))
struct RuntimeTests {
  static func loaded(_ runtime: InstalledRuntime) throws -> any ModelFileRuntime {
    switch runtime {
    case .openVINO: try OpenVINORuntime(folder: #require(RealModels.openVINO))
    case .onnxRuntime: try ONNXRuntime(folder: #require(RealModels.onnxRuntime))
    }
  }

  @Test(arguments: TestRuntimes.all)
  func nameVersionAndDeviceAreStated(runtime: InstalledRuntime) throws {
    let loaded = try Self.loaded(runtime)
    #expect(loaded.name == "\(runtime.title) \(runtime.version)")
    let described = RuntimeDescription(loaded)
    #expect(described.name == runtime.title && described.version == runtime.version)
    #expect(described.summary == "\(loaded.name) (cpu)")
  }

  @Test(arguments: TestRuntimes.all)
  func numbersComeOutAsComputed(runtime: InstalledRuntime) throws {
    let network = try Self.loaded(runtime).network(
      SmallNetworks.weighted(), inputShapes: [], threads: 1)
    #expect(network.inputs == [TensorDescription(name: "image", shape: [1, 3, 4, 5])])
    #expect(network.outputs.map(\.name) == ["depth"])
    let values = (0..<60).map { Float($0) }
    let output = try network.run([Tensor(shape: [1, 3, 4, 5], values: values)])[0]
    #expect(output.shape == [1, 1, 4, 5])
    for (index, value) in output.values.enumerated() {
      let at = Float(index)
      let sum = 0.5 * at + 0.25 * (at + 20) + 0.125 * (at + 40)
      #expect(abs(value - sum.squareRoot()) < 1e-5)
    }
    let negative = Tensor(shape: [1, 3, 4, 5], values: Array(repeating: -1, count: 60))
    #expect(try network.run([negative])[0].values.allSatisfy { $0.isNaN })
  }

  @Test(arguments: TestRuntimes.all)
  func openDimensionsMustBeFixed(runtime: InstalledRuntime) throws {
    let loaded = try Self.loaded(runtime)
    let open = SmallNetworks.weighted(shape: [1, 3, -1, -1])
    let error = #expect(throws: InferenceError.self) {
      try loaded.network(open, inputShapes: [], threads: 1)
    }
    #expect(error?.reason == .mismatch)
    let network = try loaded.network(open, inputShapes: [[1, 3, 2, 2]], threads: 1)
    #expect(network.inputs[0].fixedShape == [1, 3, 2, 2])
    let input = Tensor(shape: [1, 3, 2, 2], values: Array(repeating: 4, count: 12))
    #expect(try network.run([input])[0].shape == [1, 1, 2, 2])
  }

  @Test(arguments: TestRuntimes.all, [[1, 3, 4, 6], [1, 4, 4, 5], [3, 4, 5], [1, 3, 0, 5], []])
  func wrongShapesAreRefused(runtime: InstalledRuntime, shape: [Int]) throws {
    let loaded = try Self.loaded(runtime)
    let network = try loaded.network(SmallNetworks.weighted(), inputShapes: [], threads: 1)
    let count = shape.reduce(1, *)
    let error = #expect(throws: InferenceError.self) {
      try network.run([Tensor(shape: shape, values: Array(repeating: 0, count: count))])
    }
    #expect(error?.reason == .mismatch)
    let fixed = #expect(throws: InferenceError.self) {
      try loaded.network(SmallNetworks.weighted(), inputShapes: [shape], threads: 1)
    }
    #expect(fixed?.reason == .mismatch)
    let none = #expect(throws: InferenceError.self) { try network.run([]) }
    #expect(none?.reason == .mismatch)
  }

  @Test(arguments: TestRuntimes.all)
  func anUnknownOperatorIsNamed(runtime: InstalledRuntime) throws {
    var graph = ONNXGraphWriter()
    graph.input("image", shape: [1])
    graph.node("Sqxt", ["image"], output: "depth")
    graph.outputOfOpenShape("depth")
    let odd = ModelFile(name: "odd.onnx", bytes: graph.bytes(name: "odd"))
    let error = #expect(throws: InferenceError.self) {
      try Self.loaded(runtime).network(odd, inputShapes: [], threads: 1)
    }
    #expect(error?.reason == .unsupported)
    #expect(error?.found.contains("Sqxt") == true, "\(error?.found ?? "")")
    #expect(error?.found.hasPrefix("Exception from") == false)
  }

  @Test(arguments: TestRuntimes.all)
  func severalNetworksRunAtOnce(runtime: InstalledRuntime) async throws {
    let loaded = try Self.loaded(runtime)
    let shared = try loaded.network(SmallNetworks.weighted(), inputShapes: [], threads: 2)
    let input = Tensor(shape: [1, 3, 4, 5], values: (0..<60).map { Float($0) })
    let expected = try shared.run([input])
    try await withThrowingTaskGroup(of: [Tensor].self) { group in
      for index in 0..<8 {
        group.addTask {
          let own =
            index.isMultiple(of: 2)
            ? shared
            : try loaded.network(SmallNetworks.weighted(), inputShapes: [], threads: 1)
          return try own.run([input])
        }
      }
      for try await result in group { #expect(result == expected) }
    }
  }
}
