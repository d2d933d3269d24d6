#if os(Linux)
  import Foundation
  import PlumblineTestSupport
  import Testing

  @testable import PlumblineInference

  /// Networks in workers, sound ones and such as ask a worker of tests to misbehave.
  enum IsolatedNetworks {
    /// The worker of tests: beside the test bundle.
    static let program = (Bundle.main.executableURL ?? Bundle.main.bundleURL)
      .deletingLastPathComponent().appending(path: "DecoderFaults").path

    static func workers(
      startSeconds: Double = 120, answerSeconds: Double = 120
    ) -> NetworkWorkers {
      NetworkWorkers(
        program: program, arguments: ["network"], startSeconds: startSeconds,
        answerSeconds: answerSeconds)
    }

    static func runtime(
      _ workers: NetworkWorkers, _ runtime: InstalledRuntime = .openVINO
    ) throws -> IsolatedRuntime {
      let folder = runtime == .openVINO ? RealModels.openVINO : RealModels.onnxRuntime
      return try IsolatedRuntime(runtime, folder: try #require(folder), workers: workers)
    }

    /// A network of `SmallNetworks.weighted` in a worker.
    static func small(_ workers: NetworkWorkers) throws -> any NeuralNetwork {
      try runtime(workers).network(SmallNetworks.weighted(), inputShapes: [], threads: 1)
    }

    /// An input of the small network, with a fault as its first numbers.
    static func input(fault: String? = nil) -> Tensor {
      var values = (0..<60).map { Float($0) }
      if let fault {
        for (index, byte) in "plumbline-fault:\(fault);".utf8.enumerated() {
          values[index] = Float(byte)
        }
      }
      return Tensor(shape: [1, 3, 4, 5], values: values)
    }

    /// A model with a fault in its name.
    static func model(fault: String) -> ModelFile {
      var graph = ONNXGraphWriter()
      graph.input("image", shape: [1, 3, 4, 5])
      graph.node("Sqrt", ["image"], output: "depth")
      graph.outputOfOpenShape("depth")
      return ModelFile(name: "fault.onnx", bytes: graph.bytes(name: "plumbline-fault:\(fault);"))
    }

    /// Whether both gave the same bits, NaN among them.
    static func areSame(_ one: [Tensor], _ other: [Tensor]) -> Bool {
      one.map(\.shape) == other.map(\.shape)
        && zip(one, other).allSatisfy {
          $0.values.map(\.bitPattern) == $1.values.map(\.bitPattern)
        }
    }

    /// Numbers from 0 to 1 that look like none in particular, the same each time.
    static func noise(_ shape: [Int], seed: UInt64) -> Tensor {
      var state = seed
      let values = (0..<shape.reduce(1, *)).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Float(state >> 40) / Float(1 << 24)
      }
      return Tensor(shape: shape, values: values)
    }
  }
#endif
