import PlumblineInference
import PlumblineTestSupport
import Testing

/// What the runtime does with shapes, odd numbers and several threads.
@Suite(.enabled(if: RealModels.openVINO != nil, "\(RealModels.runtimeAbsence)"))
struct OpenVINORuntimeTests {
  private func runtime() throws -> OpenVINORuntime {
    try OpenVINORuntime(folder: try #require(RealModels.openVINO))
  }

  @Test func nameAndVersionAreThoseOfTheLibrary() throws {
    #expect(try runtime().name == "OpenVINO 2026.4.1")
  }

  @Test func numbersComeOutAsComputed() throws {
    let network = try runtime().network(SmallNetworks.weighted(), inputShapes: [], threads: 1)
    #expect(network.inputs == [TensorDescription(name: "image", shape: [1, 3, 4, 5])])
    let values = (0..<60).map { Float($0) }
    let output = try network.run([Tensor(shape: [1, 3, 4, 5], values: values)])[0]
    #expect(output.shape == [1, 1, 4, 5])
    for (index, value) in output.values.enumerated() {
      let at = Float(index)
      let sum = 0.5 * at + 0.25 * (at + 20) + 0.125 * (at + 40)
      #expect(abs(value - sum.squareRoot()) < 1e-5)
    }
  }

  @Test func anOutputOfNaNIsPassedOn() throws {
    let network = try runtime().network(SmallNetworks.weighted(), inputShapes: [], threads: 1)
    let input = Tensor(shape: [1, 3, 4, 5], values: Array(repeating: -1, count: 60))
    #expect(try network.run([input])[0].values.allSatisfy { $0.isNaN })
  }

  @Test func openDimensionsMustBeFixed() throws {
    let open = SmallNetworks.weighted(shape: [1, 3, -1, -1])
    let error = #expect(throws: InferenceError.self) {
      try runtime().network(open, inputShapes: [], threads: 1)
    }
    #expect(error?.reason == .mismatch)
    let network = try runtime().network(open, inputShapes: [[1, 3, 2, 2]], threads: 1)
    #expect(network.inputs[0].fixedShape == [1, 3, 2, 2])
    #expect(network.outputs[0].fixedShape == [1, 1, 2, 2])
    let input = Tensor(shape: [1, 3, 2, 2], values: Array(repeating: 4, count: 12))
    #expect(try network.run([input])[0].values.count == 4)
  }

  @Test(arguments: [[1, 3, 4, 6], [1, 4, 4, 5], [3, 4, 5], [1, 3, 0, 5], []])
  func wrongShapesAreRefused(shape: [Int]) throws {
    let network = try runtime().network(SmallNetworks.weighted(), inputShapes: [], threads: 1)
    let count = shape.reduce(1, *)
    let error = #expect(throws: InferenceError.self) {
      try network.run([Tensor(shape: shape, values: Array(repeating: 0, count: count))])
    }
    #expect(error?.reason == .mismatch)
    let fixed = #expect(throws: InferenceError.self) {
      try runtime().network(SmallNetworks.weighted(), inputShapes: [shape], threads: 1)
    }
    #expect(fixed?.reason == .mismatch)
    let none = #expect(throws: InferenceError.self) { try network.run([]) }
    #expect(none?.reason == .mismatch)
  }

  @Test func aCardThatSaysOtherThanTheNetworkIsRefused() throws {
    let store = ModelStore(folder: "/nowhere", runtimeOverride: RealModels.openVINO)
    for (card, file) in [
      (KnownModel.fastDepth.card, SmallNetworks.weighted()),
      (KnownModel.tcMonoDepth.card, SmallNetworks.weighted()),
    ] {
      let error = #expect(throws: InferenceError.self) {
        try store.network(of: file, card: card, threads: 1)
      }
      #expect(error?.reason == .mismatch)
    }
  }

  @Test func anOperatorThatDoesNotExistIsToldByName() throws {
    let bytes = SmallNetworks.weighted().bytes
    // "Sqrt" as an operator that does not exist.
    let odd = replaced(Array("Sqrt".utf8), Array("Sqxt".utf8), in: bytes)
    let error = #expect(throws: InferenceError.self) {
      try runtime().network(ModelFile(name: "odd.onnx", bytes: odd), inputShapes: [], threads: 1)
    }
    #expect(error?.reason == .unsupported)
    #expect(error?.found.contains("Sqxt") == true, "\(error?.found ?? "")")
  }

  @Test func severalNetworksRunAtOnce() async throws {
    let runtime = try runtime()
    let shared = try runtime.network(SmallNetworks.weighted(), inputShapes: [], threads: 2)
    let input = Tensor(shape: [1, 3, 4, 5], values: (0..<60).map { Float($0) })
    let expected = try shared.run([input])
    try await withThrowingTaskGroup(of: [Tensor].self) { group in
      for index in 0..<8 {
        group.addTask {
          let own =
            index.isMultiple(of: 2)
            ? shared
            : try runtime.network(SmallNetworks.weighted(), inputShapes: [], threads: 1)
          return try own.run([input])
        }
      }
      for try await result in group { #expect(result == expected) }
    }
  }

  @Test func aFolderWithoutTheLibrarySaysWhatIsNeeded() {
    let error = #expect(throws: InferenceError.self) {
      try ModelStore(folder: "/nowhere").runtime()
    }
    #expect(error?.reason == .notInstalled)
    #expect(error?.need == .runtime)
  }

  private func replaced(_ old: [UInt8], _ new: [UInt8], in bytes: [UInt8]) -> [UInt8] {
    var result = bytes
    for start in 0..<(bytes.count - old.count)
    where bytes[start..<(start + old.count)].elementsEqual(old) {
      result.replaceSubrange(start..<(start + old.count), with: new)
    }
    return result
  }
}
