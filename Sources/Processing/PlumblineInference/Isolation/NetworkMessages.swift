#if os(Linux) && canImport(COpenVINO)
  import PlumblineImages
  #if canImport(Glibc)
    internal import Glibc
  #elseif canImport(Musl)
    internal import Musl
  #endif

  /// What is sent to a network worker before it enters its sandbox, beside the model's memory.
  struct NetworkSetup: Sendable, Hashable {
    /// The model's name, for errors.
    var name: String
    /// The runtime that runs it.
    var runtime: InstalledRuntime
    /// The runtime's folder, without symbolic links.
    var folder: String
    var isTFLite: Bool
    var modelBytes: Int
    /// Shapes to fix; empty for the model's own.
    var inputShapes: [[Int]]
    var threads: Int
    var isReduced: Bool
    /// The processor time that the worker may use in its life; after half of it, it is replaced.
    var processorSeconds: Int
    var addressSpaceBytes: Int

    /// Address space in addition to the model's: program, libraries, generated code, and the values
    /// between a network's layers.
    private static let programBytes = 8 << 30
    /// Address space for each processor: two heaps of the C library and stacks of threads, most of it
    /// never used.
    private static let processorBytes = 256 << 20
    /// Address space for each byte of a model: the bytes received, the model as read, its half floats
    /// widened to floats, and those again in the order in which they are multiplied.
    private static let modelCopies = 8

    init(
      _ file: ModelFile, by runtime: InstalledRuntime, folder: String, isTFLite: Bool,
      inputShapes: [[Int]], threads: Int, isReduced: Bool, answerSeconds: Double
    ) {
      self.runtime = runtime
      name = file.name
      self.folder = folder
      self.isTFLite = isTFLite
      modelBytes = file.bytes.count
      self.inputShapes = inputShapes
      self.threads = threads
      self.isReduced = isReduced
      // A worker is replaced at half of its time. The other half is then twice what the longest run
      // can use.
      processorSeconds = max(600, Int(answerSeconds) * 4 * threads)
      let processors = max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN)))
      addressSpaceBytes =
        Self.programBytes + Self.processorBytes * processors + Self.modelCopies * modelBytes
    }

    var message: [UInt8] {
      var fields = MessageFields()
      fields.add(.job, runtime == .onnxRuntime ? 3 : isTFLite ? 2 : 1)
      fields.add(.modelName, name)
      fields.add(.folder, Array(folder.utf8))
      fields.add(.modelBytes, modelBytes)
      for shape in inputShapes { fields.add(.inputShape, numbers: shape) }
      fields.add(.threads, threads)
      fields.add(.isReduced, isReduced ? 1 : 0)
      fields.add(.processorSeconds, processorSeconds)
      fields.add(.addressSpace, addressSpaceBytes)
      return fields.bytes
    }

    /// The setup of a message; `nil` where something is absent.
    init?(_ fields: MessageFields) {
      guard let kind = fields.number(.job), (1...3).contains(kind),
        let name = fields.text(.modelName),
        let folder = fields.all(.folder).first, let modelBytes = fields.number(.modelBytes),
        let threads = fields.number(.threads), threads >= 1,
        let isReduced = fields.number(.isReduced),
        let processorSeconds = fields.number(.processorSeconds),
        let addressSpaceBytes = fields.number(.addressSpace)
      else { return nil }
      var shapes: [[Int]] = []
      for value in fields.all(.inputShape) {
        guard let shape = MessageFields.numbers(value) else { return nil }
        shapes.append(shape)
      }
      self.name = name
      self.folder = String(decoding: folder, as: UTF8.self)
      isTFLite = kind == 2
      runtime = kind == 3 ? .onnxRuntime : .openVINO
      self.modelBytes = modelBytes
      inputShapes = shapes
      self.threads = threads
      self.isReduced = isReduced == 1
      self.processorSeconds = processorSeconds
      self.addressSpaceBytes = addressSpaceBytes
    }
  }
#endif

#if os(Linux) && canImport(COpenVINO)
  import PlumblineImages
  /// A worker's description of its network after loading.
  struct NetworkDescription: Sendable, Hashable {
    var inputs: [TensorDescription]
    var outputs: [TensorDescription]

    /// Whether a sound worker can have sent it for these shapes.
    func isPossible(for shapes: [[Int]]) -> Bool {
      let fixed = inputs.compactMap(\.fixedShape)
      return fixed.count == inputs.count
        && fixed.allSatisfy { $0.countOfElements(atMost: Tensor.maximumCount) != nil }
        && (shapes.isEmpty || fixed == shapes)
    }
  }

  /// A message from a network worker.
  enum NetworkAnswer: Sendable, Hashable {
    /// The network is loaded.
    case described(NetworkDescription)
    /// The outputs lie in the shared memory, with these shapes.
    case done([[Int]])
    /// The outputs need so many bytes.
    case roomNeeded(Int)
    /// The runtime says no.
    case failed(InferenceError)

    /// As many dimensions as a tensor may have.
    private static let maximumRank = 8

    var message: [UInt8] {
      var fields = MessageFields()
      switch self {
      case .described(let description):
        fields.add(.done)
        for (tag, ports) in [
          (MessageFields.Tag.input, description.inputs), (.output, description.outputs),
        ] {
          for port in ports {
            var inner = MessageFields()
            inner.add(.text, port.name)
            inner.add(.shape, numbers: port.shape.map { $0 ?? -1 })
            fields.add(tag, inner.bytes)
          }
        }
      case .done(let shapes):
        fields.add(.done)
        for shape in shapes { fields.add(.shape, numbers: shape) }
      case .roomNeeded(let count): fields.add(.roomNeeded, count)
      case .failed(let error):
        var inner = MessageFields()
        inner.add(.code, error.reason.rawValue)
        inner.add(.expected, error.expected)
        inner.add(.found, error.found)
        fields.add(.failure, inner.bytes)
      }
      let bytes = fields.bytes
      guard bytes.count <= MessageFields.mostBytes else {
        return Self.failed(
          InferenceError(
            .unsupported, "", expected: "a network with fewer inputs and outputs",
            found: "\(bytes.count) bytes of their names and shapes")
        ).message
      }
      return bytes
    }

    /// Reads a message of a worker, which is not trusted; `nil` if it is not a valid message.
    ///
    /// - Parameters:
    ///   - bytes: The message.
    ///   - name: The model's name, which errors are about.
    init?(_ bytes: [UInt8], name: String) {
      guard let fields = MessageFields(bytes[...]) else { return nil }
      if let failure = fields.all(.failure).first {
        guard let inner = MessageFields(failure),
          let reason = inner.text(.code).flatMap({ InferenceError.Reason(rawValue: $0) }),
          let expected = inner.text(.expected), let found = inner.text(.found)
        else { return nil }
        self = .failed(InferenceError(reason, name, expected: expected, found: found))
      } else if let room = fields.number(.roomNeeded) {
        self = .roomNeeded(room)
      } else if fields.has(.done), fields.has(.input) || fields.has(.output) {
        guard let inputs = Self.ports(fields.all(.input)),
          let outputs = Self.ports(fields.all(.output))
        else { return nil }
        self = .described(NetworkDescription(inputs: inputs, outputs: outputs))
      } else {
        let shapes = fields.all(.shape).compactMap { Self.shape($0)?.compactMap { $0 } }
        guard fields.has(.done), shapes.count == fields.all(.shape).count else { return nil }
        self = .done(shapes)
      }
    }

    private static func ports(_ values: [ArraySlice<UInt8>]) -> [TensorDescription]? {
      var ports: [TensorDescription] = []
      for value in values {
        guard let inner = MessageFields(value), let name = inner.text(.text),
          let shape = inner.all(.shape).first.flatMap({ Self.shape($0) })
        else { return nil }
        ports.append(TensorDescription(name: name, shape: shape))
      }
      return ports
    }

    private static func shape(_ value: ArraySlice<UInt8>) -> [Int?]? {
      guard let numbers = MessageFields.numbers(value), numbers.count <= maximumRank else {
        return nil
      }
      return numbers.map { $0 < 0 ? nil : $0 }
    }
  }
#endif
