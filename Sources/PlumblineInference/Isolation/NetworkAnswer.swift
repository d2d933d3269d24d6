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

    /// Reads a message of a worker that may say anything; `nil` for what is none.
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
