#if os(Linux) && canImport(COpenVINO)
  import PlumblineImages
  import PlumblineIO
  #if canImport(Glibc)
    internal import Glibc
  #elseif canImport(Musl)
    internal import Musl
  #endif

  /// The other side of ``NetworkWorkers``: a process that runs the one network it is given.
  public enum NetworkWorker {
    /// The argument that makes a program a worker; people have no use for it.
    public static let argument = "--run-network-for-another-process"
    /// The name by which the runtime opens a TFLite model, which it reads from a file only.
    private static let modelPath = "/plumbline-network/model.tflite"

    /// Runs a network for the process that started this one, when the arguments say so, and never
    /// returns then; else does nothing.
    ///
    /// The first thing that a `main` has to do: what runs before it runs in every worker.
    public static func runIfAsked(_ arguments: [String] = CommandLine.arguments) {
      if arguments.count == 2 && arguments[1] == argument { serve() }
    }

    /// Warms the runtime up, shuts this process in, loads the network, and runs it until the channel,
    /// the standard input, ends.
    ///
    /// - Parameters:
    ///   - inspectModel: Sees the model before the runtime does, for tests of what happens when a
    ///     worker misbehaves.
    ///   - inspectInput: Sees the first input of each run.
    package static func serve(
      inspectModel: (UnsafeRawBufferPointer) -> Void = { _ in },
      inspectInput: ([Float]) -> Void = { _ in }
    ) -> Never {
      guard let (fields, descriptor) = WorkerChannel.receive(), descriptor >= 0,
        let setup = NetworkSetup(fields),
        let model = MappedMemory(descriptor: descriptor, byteCount: setup.modelBytes)
      else { _exit(1) }
      let load: Loader
      do throws(InferenceError) { load = try warmRuntime(setup) } catch {
        greet("its runtime cannot be used: \(error)")
        _exit(1)
      }
      let code = shutIn(setup, descriptor)
      greet(code == 0 ? nil : "it cannot shut itself in: error \(-code)")
      guard code == 0 else { _exit(1) }
      inspectModel(model.bytes)
      do throws(InferenceError) {
        run(try load(model), inspectInput)
      } catch { WorkerChannel.send(NetworkAnswer.failed(error).message) }
      _exit(0)
    }

    private static func greet(_ refusal: String?) {
      var hello = MessageFields()
      hello.add(.hello, WorkerChannel.version)
      if let refusal { hello.add(.text, refusal) }
      if !WorkerChannel.send(hello.bytes) { _exit(1) }
    }

    /// Loads the model by the runtime, once this process is shut in.
    private typealias Loader = (MappedMemory) throws(InferenceError) -> any NeuralNetwork

    /// Loads the runtime, and runs a network of ours in the model's format: afterwards its plugins and
    /// its threads are there.
    private static func warmRuntime(_ setup: NetworkSetup) throws(InferenceError) -> Loader {
      switch setup.runtime {
      case .openVINO:
        let runtime = try OpenVINORuntime(
          folder: setup.folder, precision: setup.isReduced ? .reduced : .exact)
        try warm(runtime, setup)
        return { model throws(InferenceError) in
          try OpenVINONetwork(
            setup.isTFLite ? .path(modelPath) : .mapped(model), name: setup.name,
            of: runtime.library, inputShapes: setup.inputShapes, threads: setup.threads,
            isReduced: setup.isReduced)
        }
      case .onnxRuntime:
        let runtime = try ONNXRuntime(folder: setup.folder)
        try warm(runtime, setup)
        return { model throws(InferenceError) in
          try ONNXRuntimeNetwork(
            .mapped(model), name: setup.name, of: runtime.library, provider: .cpu,
            inputShapes: setup.inputShapes, threads: setup.threads)
        }
      }
    }

    private static func warm(
      _ runtime: any ModelFileRuntime, _ setup: NetworkSetup
    ) throws(InferenceError) {
      let expected = "\(setup.runtime.title) \(setup.runtime.version)"
      guard runtime.name == expected else {
        throw InferenceError(
          .failed, setup.runtime.title, expected: expected, found: printable(text: runtime.name))
      }
      let file = setup.isTFLite ? WarmUpNetwork.tflite : WarmUpNetwork.onnx
      let network = try runtime.network(file, inputShapes: [], threads: setup.threads)
      _ = try network.run([Tensor(shape: WarmUpNetwork.shape, values: [1])])
    }

    private static func shutIn(_ setup: NetworkSetup, _ descriptor: CInt) -> CInt {
      NetworkSandbox(
        addressSpaceBytes: setup.addressSpaceBytes, processorSeconds: setup.processorSeconds,
        model: descriptor, modelPath: modelPath, folder: setup.folder
      ).enter()
    }

    /// Describes the network, then answers each job.
    private static func run(_ network: any NeuralNetwork, _ inspectInput: ([Float]) -> Void) {
      let description = NetworkDescription(inputs: network.inputs, outputs: network.outputs)
      let shapes = network.inputs.map { $0.fixedShape ?? [] }
      guard let layout = TensorLayout(shapes),
        WorkerChannel.send(NetworkAnswer.described(description).message)
      else { return }
      var region: SharedRegion?
      while let fields = WorkerChannel.receive(&region) {
        guard let memory = region?.bytes, let room = fields.number(.outputBytes),
          room <= memory.count, layout.byteCount <= memory.count - room
        else { _exit(2) }
        let tensors = layout.tensors(shapes, in: UnsafeRawBufferPointer(memory))
        inspectInput(tensors.first?.values ?? [])
        let place = UnsafeMutableRawBufferPointer(
          rebasing: memory[layout.byteCount..<layout.byteCount + room])
        guard WorkerChannel.send(answer(network, tensors, into: place).message) else { return }
      }
    }

    private static func answer(
      _ network: any NeuralNetwork, _ tensors: [Tensor], into place: UnsafeMutableRawBufferPointer
    ) -> NetworkAnswer {
      do throws(InferenceError) {
        let outputs = try network.run(tensors)
        let shapes = outputs.map(\.shape)
        guard let layout = TensorLayout(shapes) else {
          preconditionFailure("a network bounds its outputs")
        }
        guard layout.byteCount <= place.count else { return .roomNeeded(layout.byteCount) }
        layout.write(outputs, to: place)
        return .done(shapes)
      } catch { return .failed(error) }
    }
  }
#endif
