#if canImport(CONNXRuntime)
  internal import CONNXRuntime
  import PlumblineIO
  import PlumblineImages
  internal import Synchronization

  /// ONNX Runtime, loaded from a folder when it is requested; it reads ONNX files only.
  ///
  /// Nothing of it is linked: Plumbline builds and runs without it. It stays loaded until the process
  /// ends, since its threads may outlive every network.
  ///
  /// - Source: the table `OrtApi` of microsoft/onnxruntime (MIT), version 12 of the interface.
  package struct ONNXRuntime: ModelFileRuntime {
    /// What computes.
    package enum Provider: String, Sendable, CaseIterable {
      /// The processor.
      case cpu
      /// A graphics processor of NVIDIA; the library must be one that was built for it. Untried.
      case cuda
      /// Core ML, in a library that was built for Apple's systems. Untried.
      case coreML
    }

    /// The file that the known wheel has.
    package static let libraryFile = "libonnxruntime.so.\(ONNXRuntimeWheel.version)"

    /// The name and version, such as `ONNX Runtime 1.32.0`.
    package let name: String
    /// What computes.
    package let provider: Provider
    package var device: String { provider.rawValue.lowercased() }
    let library: ONNXRuntimeLibrary

    /// Loads the library of a folder, such as `onnxruntime/capi` of the wheel.
    ///
    /// - Throws: `.notInstalled` where it is not there, `.failed` where it cannot be loaded. Cost: some
    ///   50 ms the first time.
    package init(folder: String, provider: Provider = .cpu) throws(InferenceError) {
      library = try ONNXRuntimeLibrary(folder: folder)
      name = "ONNX Runtime \(library.version)"
      self.provider = provider
    }

    /// Loads an ONNX model whose bytes are at hand; its structure is checked before ONNX Runtime sees it.
    ///
    /// - Throws: ``InferenceError``: `.unsupported` for TFLite, which this runtime does not read, and for a
    ///   provider that the library was built without.
    package func network(
      _ file: ModelFile, inputShapes: [[Int]], threads: Int
    ) throws(InferenceError) -> any NeuralNetwork {
      precondition(threads >= 1, "a run needs a thread")
      try file.check()
      guard try file.format() == .onnx else {
        throw Self.refusal(ofTFLite: file)
      }
      return try ONNXRuntimeNetwork(
        .bytes(file.bytes), name: file.name, of: library, provider: provider,
        inputShapes: inputShapes, threads: threads)
    }

    /// What is said of a TFLite file.
    static func refusal(ofTFLite file: ModelFile) -> InferenceError {
      InferenceError(
        .unsupported, file.name, expected: "an ONNX model",
        found: "a TFLite model, which ONNX Runtime does not read; OpenVINO does")
    }
  }

  /// ONNX Runtime's library, as long as a network or a runtime needs it.
  final class ONNXRuntimeLibrary: Sendable {
    /// The version that it reports, such as `1.32.0`.
    let version: String
    private let handle: Mutex<Handle>

    /// The library of the process, which is never freed.
    private struct Handle: ~Copyable {
      let pointer: OpaquePointer
    }

    init(folder: String) throws(InferenceError) {
      let path = try Self.path(in: folder)
      var problem = plumbline_onnxruntime_problem()
      guard let pointer = plumbline_onnxruntime_load(path, &problem) else {
        throw InferenceError(
          .failed, "ONNX Runtime",
          expected: "a library that can be loaded from \(printable(text: path))",
          found: problem.sentence)
      }
      let text = String(cString: plumbline_onnxruntime_version(pointer))
      version = printable(text: String(text.prefix(40)))
      handle = Mutex(Handle(pointer: pointer))
    }

    /// The library's file in a folder: that of the known version, else one without a version.
    static func path(in folder: String) throws(InferenceError) -> String {
      for name in [ONNXRuntime.libraryFile, "libonnxruntime.so"] {
        let path = folder + "/" + name
        if ModelFile.isFile(path) { return path }
      }
      throw InferenceError(
        .notInstalled, "ONNX Runtime",
        expected: "\(ONNXRuntime.libraryFile) or libonnxruntime.so in \(printable(text: folder))",
        found: "no such file", need: .secondRuntime)
    }

    /// The source of a model's bytes.
    enum Source: Sendable {
      case bytes([UInt8])
      case mapped(MappedMemory)
    }

    /// Reads a model; one at a time.
    func read(
      _ source: Source, name: String, provider: ONNXRuntime.Provider, threads: Int
    ) throws(InferenceError) -> sending ONNXRuntimeHandle {
      var problem = plumbline_onnxruntime_problem()
      let chosen =
        switch provider {
        case .cpu: plumbline_onnxruntime_cpu
        case .cuda: plumbline_onnxruntime_cuda
        case .coreML: plumbline_onnxruntime_coreml
        }
      let address = handle.withLock { library in
        switch source {
        case .bytes(let bytes):
          bytes.withUnsafeBytes { Self.read($0, library.pointer, chosen, threads, &problem) }
        case .mapped(let model):
          Self.read(model.bytes, library.pointer, chosen, threads, &problem)
        }
      }
      guard let pointer = OpaquePointer(bitPattern: address) else {
        throw InferenceError(
          .unsupported, name, expected: "a model that ONNX Runtime can run (\(provider.rawValue))",
          found: problem.sentence)
      }
      return ONNXRuntimeHandle(pointer: pointer)
    }

    /// The address of a network; 0 where it cannot be read.
    private static func read(
      _ bytes: UnsafeRawBufferPointer, _ library: OpaquePointer,
      _ provider: plumbline_onnxruntime_provider, _ threads: Int,
      _ problem: inout plumbline_onnxruntime_problem
    ) -> UInt {
      UInt(
        bitPattern: plumbline_onnxruntime_read(
          library, bytes.baseAddress, bytes.count, Int32(clamping: threads), provider, &problem))
    }
  }

  /// A network of the C side, freed with its owner.
  struct ONNXRuntimeHandle: ~Copyable {
    let pointer: OpaquePointer

    deinit { plumbline_onnxruntime_release(pointer) }
  }
#endif
