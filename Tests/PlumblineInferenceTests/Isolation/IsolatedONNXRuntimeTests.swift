#if os(Linux)
  import Foundation
  import PlumblineTestSupport
  import Testing

  @testable import PlumblineInference

  /// ONNX Runtime in workers: the same numbers, and what a worker costs that ends.
  @Suite(
    .serialized, .enabled(if: RealModels.onnxRuntime != nil, "\(RealModels.secondRuntimeAbsence)"))
  struct IsolatedONNXRuntimeTests {
    private func runtime() throws -> IsolatedRuntime {
      try IsolatedNetworks.runtime(IsolatedNetworks.workers(), .onnxRuntime)
    }

    @Test("The same bits as in this process, for one and two threads", arguments: [1, 2])
    func sameBits(threads: Int) throws {
      let here = try ONNXRuntime(folder: try #require(RealModels.onnxRuntime))
      let there = try runtime()
      #expect(there.name == here.name && there.device == "cpu")
      for (file, shape) in [
        (SmallNetworks.weighted(), [1, 3, 4, 5]),
        (SmallNetworks.weighted(shape: [1, 3, -1, -1]), [1, 3, 61, 47]),
      ] {
        let one = try here.network(file, inputShapes: [shape], threads: threads)
        let other = try there.network(file, inputShapes: [shape], threads: threads)
        #expect(one.inputs == other.inputs && one.outputs == other.outputs)
        for seed in 1...3 {
          let input = [IsolatedNetworks.noise(shape, seed: UInt64(seed))]
          #expect(IsolatedNetworks.areSame(try one.run(input), try other.run(input)))
        }
      }
    }

    @Test(
      "A real network too", .enabled(if: RealModels.folder != nil, "\(RealModels.absence)"))
    func realNetwork() throws {
      let folder = try #require(RealModels.folder)
      let file = try ModelFile(
        path: folder.appending(path: "tcmonodepth_small_192x320.onnx").path)
      let shape = KnownModel.tcMonoDepth.card.inputShape
      let input = [IsolatedNetworks.noise(shape, seed: 7)]
      let here = try ONNXRuntime(folder: try #require(RealModels.onnxRuntime))
      let one = try here.network(file, inputShapes: [shape], threads: 2).run(input)
      let other = try runtime().network(file, inputShapes: [shape], threads: 2).run(input)
      #expect(IsolatedNetworks.areSame(one, other))
    }

    @Test("Errors of a model are those of this process")
    func sameErrors() throws {
      let here = try ONNXRuntime(folder: try #require(RealModels.onnxRuntime))
      var odd = ONNXGraphWriter()
      odd.input("image", shape: [1])
      odd.node("Sqxt", ["image"], output: "depth")
      odd.outputOfOpenShape("depth")
      for (file, shapes) in [
        (SmallNetworks.weighted(), [[1, 3, 4, 6]]), (WarmUpNetwork.tflite, []),
        (ModelFile(name: "odd.onnx", bytes: odd.bytes(name: "odd")), []),
      ] as [(ModelFile, [[Int]])] {
        let one = #expect(throws: InferenceError.self) {
          try here.network(file, inputShapes: shapes, threads: 1)
        }
        let other = #expect(throws: InferenceError.self) {
          try runtime().network(file, inputShapes: shapes, threads: 1)
        }
        #expect(one == other)
      }
    }

    @Test("A model that ends its worker, or would open a file or a connection, costs its run alone")
    func endedWorker() throws {
      let network = try runtime().network(SmallNetworks.weighted(), inputShapes: [], threads: 1)
      let sound = IsolatedNetworks.input()
      let expected = try network.run([sound])
      for fault in ["abort", "open", "connect"] {
        let error = #expect(throws: InferenceError.self) {
          try network.run([IsolatedNetworks.input(fault: fault)])
        }
        #expect(error?.reason == .failed, "\(fault)")
        #expect(try network.run([sound]) == expected)
      }
    }

    @Test("A store with workers takes ONNX Runtime where it alone is installed, on the processor")
    func store() throws {
      var store = ModelStore(folder: "/nowhere")
      store.onnxRuntimeOverride = RealModels.onnxRuntime
      store.isolation = .workers(IsolatedNetworks.workers())
      #expect(try store.runtime() is IsolatedRuntime)
      store.runtimeChoice = .onnxRuntimeCUDA
      let error = #expect(throws: InferenceError.self) { try store.runtime() }
      #expect(error?.reason == .unsupported && error?.found == "cuda")
    }
  }
#endif
