#if canImport(CONNXRuntime)
  internal import CONNXRuntime
  import PlumblineIO
  internal import Synchronization

  /// A network that ONNX Runtime runs; one run at a time, for all callers.
  final class ONNXRuntimeNetwork: NeuralNetwork {
    let inputs: [TensorDescription]
    let outputs: [TensorDescription]
    private let name: String
    // It must outlive the handle.
    private let library: ONNXRuntimeLibrary
    private let handle: Mutex<ONNXRuntimeHandle>

    /// Loads a model whose structure has been checked.
    init(
      _ source: ONNXRuntimeLibrary.Source, name: String, of library: ONNXRuntimeLibrary,
      provider: ONNXRuntime.Provider,
      inputShapes: [[Int]], threads: Int
    ) throws(InferenceError) {
      let handle = try library.read(source, name: name, provider: provider, threads: threads)
      let ports = try Self.ports(of: handle, isOutput: false, name)
      inputs = try Self.fixed(ports, as: inputShapes, name)
      outputs = try Self.ports(of: handle, isOutput: true, name)
      self.name = name
      self.library = library
      self.handle = Mutex(handle)
    }

    func run(_ tensors: [Tensor]) throws(InferenceError) -> [Tensor] {
      try inputs.check(tensors, name)
      let result = handle.withLock { handle in
        Result { () throws(InferenceError) in try self.run(tensors, on: handle.pointer) }
      }
      return try result.get()
    }

    private func run(
      _ tensors: [Tensor], on network: OpaquePointer
    ) throws(InferenceError) -> [Tensor] {
      var problem = plumbline_onnxruntime_problem()
      for (index, tensor) in tensors.enumerated() {
        var shape = plumbline_onnxruntime_shape(tensor.shape)
        let isSet = tensor.values.withUnsafeBufferPointer {
          plumbline_onnxruntime_set_input(
            network, index, &shape, $0.baseAddress, $0.count, &problem)
        }
        guard isSet else { throw failure(problem) }
      }
      guard plumbline_onnxruntime_run(network, &problem) else { throw failure(problem) }
      var results: [Tensor] = []
      for index in outputs.indices { results.append(try output(index, of: network)) }
      return results
    }

    private func output(
      _ index: Int, of network: OpaquePointer
    ) throws(InferenceError) -> Tensor {
      var problem = plumbline_onnxruntime_problem()
      var shape = plumbline_onnxruntime_shape()
      var count = 0
      guard plumbline_onnxruntime_output_shape(network, index, &shape, &count, &problem) else {
        throw failure(problem)
      }
      return try Tensor.output(shape.lengthsOfKnown, count: count, name) {
        values throws(InferenceError) in
        guard plumbline_onnxruntime_copy_output(network, index, values, count, &problem) else {
          throw failure(problem)
        }
      }
    }

    private func failure(_ problem: plumbline_onnxruntime_problem) -> InferenceError {
      InferenceError(.failed, name, expected: "a run without error", found: problem.sentence)
    }

    /// The inputs with their open dimensions fixed.
    private static func fixed(
      _ ports: [TensorDescription], as shapes: [[Int]], _ name: String
    ) throws(InferenceError) -> [TensorDescription] {
      var inputs = ports
      if !shapes.isEmpty { try ports.requireAllowing(shapes, name) }
      for (index, shape) in shapes.enumerated() { inputs[index].shape = shape }
      try inputs.requireFixed(name)
      return inputs
    }

    private static func ports(
      of handle: borrowing ONNXRuntimeHandle, isOutput: Bool, _ name: String
    ) throws(InferenceError) -> [TensorDescription] {
      var ports: [TensorDescription] = []
      for index in 0..<plumbline_onnxruntime_port_count(handle.pointer, isOutput) {
        let port = plumbline_onnxruntime_port_at(handle.pointer, isOutput, index).pointee
        guard port.is_numeric else {
          throw InferenceError(
            .unsupported, name, expected: "inputs and outputs of numbers",
            found: "\(port.nameText) of another type")
        }
        ports.append(TensorDescription(name: port.nameText, shape: port.shape.lengthsOfKnown))
      }
      return ports
    }
  }
#endif
