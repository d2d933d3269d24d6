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
    /// The runtime's folder, without symbolic links.
    var folder: String
    var isTFLite: Bool
    var modelBytes: Int
    /// Shapes to fix; empty for the model's own.
    var inputShapes: [[Int]]
    var threads: Int
    var isReduced: Bool
    /// Processor time in the worker's life; it is replaced at half of it.
    var processorSeconds: Int
    var addressSpaceBytes: Int

    /// Address space beside the model: program, libraries, generated code, and what a network keeps
    /// between its layers.
    private static let programBytes = 8 << 30
    /// For each processor: two heaps of the C library and stacks of threads, most of which is never used.
    private static let processorBytes = 256 << 20
    /// For each byte of a model: as it was handed over, as it was read, half floats as floats, and those
    /// in the order in which they are multiplied.
    private static let modelCopies = 8

    init(
      _ file: ModelFile, folder: String, isTFLite: Bool, inputShapes: [[Int]], threads: Int,
      isReduced: Bool, answerSeconds: Double
    ) {
      name = file.name
      self.folder = folder
      self.isTFLite = isTFLite
      modelBytes = file.bytes.count
      self.inputShapes = inputShapes
      self.threads = threads
      self.isReduced = isReduced
      // What is left at half of it is twice what a run can use that may last so long.
      processorSeconds = max(600, Int(answerSeconds) * 4 * threads)
      let processors = max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN)))
      addressSpaceBytes =
        Self.programBytes + Self.processorBytes * processors + Self.modelCopies * modelBytes
    }

    var message: [UInt8] {
      var fields = MessageFields()
      fields.add(.job, isTFLite ? 2 : 1)
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
      guard let kind = fields.number(.job), let name = fields.text(.modelName),
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
      self.modelBytes = modelBytes
      inputShapes = shapes
      self.threads = threads
      self.isReduced = isReduced == 1
      self.processorSeconds = processorSeconds
      self.addressSpaceBytes = addressSpaceBytes
    }
  }
#endif
