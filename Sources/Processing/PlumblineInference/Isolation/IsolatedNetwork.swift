#if os(Linux) && canImport(COpenVINO)
  import PlumblineImages
  internal import Synchronization

  #if canImport(Glibc)
    internal import Glibc
  #elseif canImport(Musl)
    internal import Musl
  #endif

  /// A network that runs in a worker of its own; one run at a time, for all callers.
  final class IsolatedNetwork: NeuralNetwork {
    let inputs: [TensorDescription]
    let outputs: [TensorDescription]
    private let setup: NetworkSetup
    private let model: SealedMemory
    private let workers: NetworkWorkers
    private let inputLayout: TensorLayout
    private let state: Mutex<State>

    private struct State: Sendable {
      /// `nil` after it failed; the next run starts another.
      var worker: WorkerProcess?
      /// The bytes that the outputs get.
      var room: Int
    }

    /// The number of the process; `nil` where the last one failed.
    var process: Int32? { state.withLock { $0.worker?.process } }

    init(
      _ setup: NetworkSetup, _ model: SealedMemory, _ workers: NetworkWorkers
    ) throws(InferenceError) {
      let (worker, description) = try workers.start(setup, model)
      guard let layout = TensorLayout(description.inputs.map { $0.fixedShape ?? [] }) else {
        preconditionFailure("inputs are bounded where they are described")
      }
      self.setup = setup
      self.model = model
      self.workers = workers
      inputs = description.inputs
      outputs = description.outputs
      inputLayout = layout
      // Open outputs tell what they need in the first run.
      let known = outputs.map { output in
        output.fixedShape.flatMap {
          $0.countOfElements(atMost: Tensor.maximumCount) == nil ? nil : $0
        } ?? [0]
      }
      state = Mutex(State(worker: worker, room: TensorLayout(known)?.byteCount ?? 0))
    }

    deinit { state.withLock { _ = $0.worker?.end() } }

    func run(_ tensors: [Tensor]) throws(InferenceError) -> [Tensor] {
      try inputs.check(tensors, setup.name)
      let result = state.withLock { state in
        Result { () throws(InferenceError) in try self.run(tensors, &state) }
      }
      return try result.get()
    }

    private func run(
      _ tensors: [Tensor], _ state: inout State
    ) throws(InferenceError) -> [Tensor] {
      var answer = try exchange(tensors, &state)
      if case .roomNeeded(let count) = answer, count > state.room, count <= maximumRoom {
        state.room = count
        answer = try exchange(tensors, &state)
      }
      switch answer {
      case .failed(let error): throw error
      case .done(let shapes):
        if let outputs = outputs(shapes, state) { return outputs }
      case .described, .roomNeeded, nil: break
      }
      state.worker?.end()
      state.worker = nil
      throw WorkerProcess.Failure.garbled.inferenceError(setup.name)
    }

    /// The most bytes that outputs can have.
    private var maximumRoom: Int {
      outputs.count * (Tensor.maximumCount * MemoryLayout<Float>.stride + 64)
    }

    /// Copies the outputs; `nil` where the shapes are not those of this network or do not fit.
    private func outputs(_ shapes: [[Int]], _ state: State) -> [Tensor]? {
      guard shapes.count == outputs.count,
        zip(outputs, shapes).allSatisfy({ output, shape in
          output.shape.count == shape.count
            && zip(output.shape, shape).allSatisfy { $0 == nil || $0 == $1 }
        }),
        let layout = TensorLayout(shapes), layout.byteCount <= state.room,
        let region = state.worker?.region,
        region.byteCount >= inputLayout.byteCount + layout.byteCount
      else { return nil }
      let memory = UnsafeRawBufferPointer(rebasing: region.bytes[inputLayout.byteCount...])
      return layout.tensors(shapes, in: memory)
    }

    /// Gives a run to the worker and waits for its answer; `nil` for one that is none.
    ///
    /// A worker that was ended while it had nothing to do, by whomever, is replaced once.
    private func exchange(
      _ tensors: [Tensor], _ state: inout State
    ) throws(InferenceError) -> NetworkAnswer? {
      let milliseconds = Int(workers.answerSeconds * 1_000)
      if let worker = state.worker, worker.isSpent(of: setup.processorSeconds) {
        worker.end()
        state.worker = nil
      }
      var mayRestart = true
      while true {
        if state.worker == nil {
          state.worker = try restart()
          mayRestart = false
        }
        do throws(WorkerProcess.Failure) {
          return NetworkAnswer(try give(tensors, &state, milliseconds), name: setup.name)
        } catch {
          // `give` has forgotten the worker that failed.
          guard mayRestart, case .goneBefore = error else {
            throw error.inferenceError(setup.name)
          }
        }
      }
    }

    /// Starts a worker in the place of one that has ended; it must say the same as the first.
    private func restart() throws(InferenceError) -> WorkerProcess {
      let (worker, description) = try workers.start(setup, model)
      guard description == NetworkDescription(inputs: inputs, outputs: outputs) else {
        worker.end()
        throw WorkerProcess.Failure.garbled.inferenceError(setup.name)
      }
      return worker
    }

    /// Sends a run and takes the answer; a worker that fails is ended and forgotten.
    private func give(
      _ tensors: [Tensor], _ state: inout State, _ milliseconds: Int
    ) throws(WorkerProcess.Failure) -> [UInt8] {
      guard var worker = state.worker else { throw .goneBefore }
      state.worker = nil
      do throws(WorkerProcess.Failure) {
        // A network without outputs or inputs gets memory all the same.
        let descriptor = try worker.makeRegion(max(1, inputLayout.byteCount + state.room))
        defer { if let descriptor { close(descriptor) } }
        if let region = worker.region { inputLayout.write(tensors, to: region.bytes) }
        var fields = MessageFields()
        fields.add(.job, 1)
        if descriptor != nil, let region = worker.region {
          fields.add(.regionBytes, region.byteCount)
        }
        fields.add(.outputBytes, state.room)
        try worker.send(fields.bytes, region: descriptor)
      } catch {
        worker.end()
        throw error
      }
      let answer = try worker.receiveOrEnd(milliseconds)
      state.worker = worker
      return answer
    }
  }
#endif
