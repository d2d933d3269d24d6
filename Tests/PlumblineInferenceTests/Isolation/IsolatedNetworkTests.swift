#if os(Linux)
  import Foundation
  import PlumblineTestSupport
  import Testing

  @testable import PlumblineInference

  /// Networks give the same with a worker as without.
  @Suite(
    "Network workers: the same numbers",
    .enabled(if: RealModels.openVINO != nil, "\(RealModels.runtimeAbsence)"))
  struct IsolatedNetworkTests {
    /// Runs a model both ways, three times, and compares every bit.
    private func compare(
      _ file: ModelFile, shapes: [[Int]] = [], threads: Int, input: Tensor? = nil
    ) throws {
      let folder = try #require(RealModels.openVINO)
      let here = try OpenVINORuntime(folder: folder).network(
        file, inputShapes: shapes, threads: threads)
      let workers = IsolatedNetworks.workers()
      let there = try IsolatedNetworks.runtime(workers).network(
        file, inputShapes: shapes, threads: threads)
      #expect(there.inputs == here.inputs && there.outputs == here.outputs)
      for seed in 0..<3 {
        let tensors = try here.inputs.map { port in
          let shape = try #require(port.fixedShape)
          return input ?? IsolatedNetworks.noise(shape, seed: UInt64(seed))
        }
        let (one, other) = (try here.run(tensors), try there.run(tensors))
        #expect(IsolatedNetworks.areSame(one, other), "\(file.name), seed \(seed)")
      }
      #expect(workers.startedCount == 1)
    }

    @Test("A small ONNX network, its open dimensions fixed, NaN among its numbers")
    func small() throws {
      try compare(SmallNetworks.weighted(), threads: 1)
      try compare(
        SmallNetworks.weighted(shape: [1, 3, -1, -1]), shapes: [[1, 3, 7, 9]], threads: 2)
      let negative = Tensor(shape: [1, 3, 4, 5], values: Array(repeating: -1, count: 60))
      try compare(SmallNetworks.weighted(), threads: 1, input: negative)
    }

    @Test("An output whose length only the run tells gets room for it")
    func openOutput() throws {
      var graph = ONNXGraphWriter()
      graph.input("image", shape: [1, 3, 40, 50])
      graph.node("NonZero", ["image"], output: "places")
      graph.outputOfOpenShape("places")
      let file = ModelFile(name: "places.onnx", bytes: graph.bytes(name: "places"))
      try compare(file, threads: 1)
      let none = Tensor(shape: [1, 3, 40, 50], values: Array(repeating: 0, count: 6_000))
      try compare(file, threads: 1, input: none)
    }

    @Test(
      "FastDepth and TCMonoDepth",
      .enabled(if: RealModels.folder != nil, "\(RealModels.absence)"),
      arguments: ["fastdepth_nyu_224_f32.onnx", "tcmonodepth_small_192x320.onnx"], [1, 2])
    func real(name: String, threads: Int) throws {
      let folder = try #require(RealModels.folder)
      let file = try ModelFile(path: folder.appending(path: name).path)
      let shape = name.hasPrefix("fast") ? [1, 224, 224, 3] : [1, 3, 192, 320]
      try compare(file, shapes: [shape], threads: threads)
    }

    @Test(
      "A TFLite network, which the runtime reads from a file only",
      .enabled(
        if: PythonPeer.has("flatbuffers", "numpy"), "\(PythonPeer.absence("flatbuffers"))"))
    func tflite() throws {
      let folder = try TemporaryFolder()
      _ = try PythonPeer.run("tflite_network.py", folder.path)
      try compare(ModelFile(path: folder.file("depth.tflite")), threads: 2)
    }

    @Test(
      "The networks that find faces",
      .enabled(if: RealFaceModel.path != nil, "\(RealFaceModel.absence)"),
      arguments: [
        (FaceNetworks.detectorPart, [1, 128, 128, 3]),
        (FaceNetworks.landmarksPart, [1, 256, 256, 3]),
        (FaceNetworks.blendshapesPart, [1, 146, 2]),
      ])
    func faces(part: String, shape: [Int]) throws {
      let file = try ModelFile(path: try #require(RealFaceModel.path))
      try compare(ModelBundle(file).network(named: part), shapes: [shape], threads: 2)
    }

    @Test("What is no model, or not this one, is told in the same words")
    func refusals() throws {
      let here = try OpenVINORuntime(folder: try #require(RealModels.openVINO))
      let there = try IsolatedNetworks.runtime(IsolatedNetworks.workers())
      var odd = ONNXGraphWriter()
      odd.input("image", shape: [1, 2])
      odd.node("Sqxt", ["image"], output: "depth")
      odd.outputOfOpenShape("depth")
      let cut = Array(SmallNetworks.weighted().bytes.dropLast(9))
      for (file, shapes) in [
        (SmallNetworks.weighted(shape: [1, 3, -1, -1]), []),
        (SmallNetworks.weighted(), [[1, 3, 4, 6]]), (SmallNetworks.weighted(), [[1], [2]]),
        (ModelFile(name: "odd.onnx", bytes: odd.bytes(name: "odd")), []),
        (ModelFile(name: "cut.onnx", bytes: cut), []), (ModelFile(name: "none", bytes: []), []),
      ] {
        let one = #expect(throws: InferenceError.self) {
          try here.network(file, inputShapes: shapes, threads: 1)
        }
        let other = #expect(throws: InferenceError.self) {
          try there.network(file, inputShapes: shapes, threads: 1)
        }
        #expect(one == other)
      }
    }

    @Test("Wrong tensors are refused before they are sent")
    func wrongTensors() throws {
      let network = try IsolatedNetworks.small(IsolatedNetworks.workers())
      for tensors in [[], [Tensor(shape: [60], values: Array(repeating: 0, count: 60))]] {
        let error = #expect(throws: InferenceError.self) { try network.run(tensors) }
        #expect(error?.reason == .mismatch)
      }
      #expect(try network.run([IsolatedNetworks.input()])[0].values.count == 20)
    }

    @Test("A store whose networks run in workers has the same name for its runtime")
    func store() throws {
      var store = ModelStore(folder: "/nowhere", runtimeOverride: RealModels.openVINO)
      let name = try store.runtime().name
      store.isolation = .workers(IsolatedNetworks.workers())
      #expect(try store.runtime().name == name)
      store.runtimeOverride = "/nowhere"
      let error = #expect(throws: InferenceError.self) { try store.runtime() }
      #expect(error?.reason == .notInstalled)
    }
  }
#endif
