#if canImport(COpenVINO)
  internal import COpenVINO
  internal import CTensors
  internal import Synchronization

  /// A network that OpenVINO runs; one run at a time, for all callers.
  final class OpenVINONetwork: NeuralNetwork {
    let inputs: [TensorDescription]
    let outputs: [TensorDescription]
    private let name: String
    // It must outlive the handle.
    private let library: OpenVINOLibrary
    private let handle: Mutex<OpenVINOHandle>

    /// Loads a model whose structure has been checked.
    init(
      _ source: OpenVINOLibrary.Source, name: String, of library: OpenVINOLibrary,
      inputShapes: [[Int]], threads: Int, isReduced: Bool
    ) throws(InferenceError) {
      let handle = try library.read(source, name: name)
      if !inputShapes.isEmpty {
        try Self.fix(inputShapes, of: handle, name)
      }
      let inputs = try Self.ports(of: handle, isOutput: false, name)
      try inputs.requireFixed(name)
      var problem = plumbline_openvino_problem()
      guard
        plumbline_openvino_compile(
          handle.pointer, UInt32(clamping: threads), isReduced, &problem)
      else {
        throw InferenceError(
          .unsupported, name, expected: "a network that OpenVINO can run", found: problem.sentence)
      }
      self.inputs = inputs
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
      var problem = plumbline_openvino_problem()
      for (index, tensor) in tensors.enumerated() {
        var shape = plumbline_openvino_shape(tensor.shape)
        let isSet = tensor.values.withUnsafeBufferPointer {
          plumbline_openvino_set_input(network, index, &shape, $0.baseAddress, $0.count, &problem)
        }
        guard isSet else { throw failure(problem) }
      }
      guard plumbline_openvino_infer(network, &problem) else { throw failure(problem) }
      var results: [Tensor] = []
      for index in outputs.indices {
        var shape = plumbline_openvino_shape()
        var count = 0
        guard plumbline_openvino_output_shape(network, index, &shape, &count, &problem) else {
          throw failure(problem)
        }
        results.append(
          try Tensor.output(shape.lengthsOfKnown, count: count, name) {
            values throws(InferenceError) in
            guard plumbline_openvino_copy_output(network, index, values, count, &problem) else {
              throw failure(problem)
            }
          })
      }
      return results
    }

    private func failure(_ problem: plumbline_openvino_problem) -> InferenceError {
      InferenceError(.failed, name, expected: "a run without error", found: problem.sentence)
    }

    /// Fixes the shapes of all inputs, after they were found to be allowed.
    private static func fix(
      _ shapes: [[Int]], of handle: borrowing OpenVINOHandle, _ name: String
    ) throws(InferenceError) {
      let ports = try ports(of: handle, isOutput: false, name)
      try ports.requireAllowing(shapes, name)
      if ports.allSatisfy({ $0.fixedShape != nil }) { return }
      var problem = plumbline_openvino_problem()
      let wanted = shapes.map { plumbline_openvino_shape($0) }
      guard plumbline_openvino_reshape(handle.pointer, wanted, wanted.count, &problem) else {
        throw InferenceError(
          .mismatch, name, expected: "a network that takes inputs of \(shapes)",
          found: problem.sentence)
      }
    }

    private static func ports(
      of handle: borrowing OpenVINOHandle, isOutput: Bool, _ name: String
    ) throws(InferenceError) -> [TensorDescription] {
      var ports: [TensorDescription] = []
      for index in 0..<plumbline_openvino_port_count(handle.pointer, isOutput) {
        var port = plumbline_openvino_port()
        var problem = plumbline_openvino_problem()
        guard plumbline_openvino_describe(handle.pointer, isOutput, index, &port, &problem) else {
          throw InferenceError(
            .unsupported, name, expected: "tensors of at most \(PLB_TENSOR_RANK) dimensions",
            found: problem.sentence)
        }
        guard port.is_numeric else {
          throw InferenceError(
            .unsupported, name, expected: "inputs and outputs of numbers",
            found: "\(port.nameText) of another type")
        }
        guard port.shape.rank >= 0 else {
          throw InferenceError(
            .unsupported, name, expected: "inputs and outputs whose count of dimensions is known",
            found: "\(port.nameText) with any count")
        }
        ports.append(TensorDescription(name: port.nameText, shape: port.shape.lengthsOfKnown))
      }
      return ports
    }
  }
#endif
