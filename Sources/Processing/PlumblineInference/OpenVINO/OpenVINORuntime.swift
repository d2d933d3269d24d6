#if canImport(COpenVINO)
  internal import COpenVINO

  /// OpenVINO on the processor, loaded from a folder when it is requested.
  ///
  /// Nothing of it is linked: Plumbline builds and runs without it. It stays loaded until the process
  /// ends, since its threads may outlive every network.
  ///
  /// - Source: the C headers inside the wheel `openvino` 2026.4.1 on PyPI (Apache-2.0).
  package struct OpenVINORuntime: ModelFileRuntime {
    /// In which numbers a network runs.
    package enum Precision: String, Sendable, CaseIterable {
      /// 32-bit floats.
      case exact
      /// bfloat16 where the processor has it: about twice as fast there, with 8 bits of mantissa.
      case reduced
    }

    /// The file of the folder that is loaded; what it needs is found beside it.
    package static let libraryFile = "libopenvino_c.so.2641"

    /// The name and version, such as `OpenVINO 2026.4.1`.
    package let name: String
    /// In which numbers networks run.
    package var precision: Precision
    let library: OpenVINOLibrary

    /// Loads the library of a folder, such as `openvino/libs` of the wheel.
    ///
    /// - Throws: `.notInstalled` where it is not there, `.failed` where it cannot be loaded. Cost: some
    ///   50 ms the first time.
    package init(folder: String, precision: Precision = .exact) throws(InferenceError) {
      library = try OpenVINOLibrary(folder: folder)
      name = "OpenVINO \(library.version)"
      self.precision = precision
    }

    /// Loads a model whose bytes are at hand; its structure is checked before OpenVINO sees it.
    package func network(
      _ file: ModelFile, inputShapes: [[Int]], threads: Int
    ) throws(InferenceError) -> any NeuralNetwork {
      precondition(threads >= 1, "a run needs a thread")
      try file.check()
      return try OpenVINONetwork(
        .bytes(file.bytes), name: file.name, of: library, inputShapes: inputShapes,
        threads: threads, isReduced: precision == .reduced)
    }
  }
#endif

#if canImport(COpenVINO)
  internal import COpenVINO
  import PlumblineImages
  import PlumblineIO
  internal import Synchronization

  /// OpenVINO itself, as long as a network or a runtime needs it.
  final class OpenVINOLibrary: Sendable {
    /// The version that it reports, such as `2026.4.1`.
    let version: String
    private let handle: Mutex<Handle>

    /// The library of the process, which is never freed.
    private struct Handle: ~Copyable {
      let pointer: OpaquePointer
    }

    init(folder: String) throws(InferenceError) {
      let path = try Self.path(in: folder)
      var problem = plumbline_openvino_problem()
      guard let pointer = plumbline_openvino_load(path, &problem) else {
        throw InferenceError(
          .failed, "OpenVINO",
          expected: "a library that can be loaded from \(printable(text: path))",
          found: problem.sentence)
      }
      var text = [CChar](repeating: 0, count: 128)
      _ = plumbline_openvino_version(pointer, &text, text.count)
      // What follows the number names the build, such as 2026.4.1-22982-e213a147257-releases/2026/4.
      version = printable(text.prefix { $0 != 0 && $0 != 0x2D }.map { UInt8(bitPattern: $0) })
      handle = Mutex(Handle(pointer: pointer))
    }

    /// The library's file in a folder.
    static func path(in folder: String) throws(InferenceError) -> String {
      let path = folder + "/" + OpenVINORuntime.libraryFile
      guard ModelFile.isFile(path) else {
        throw InferenceError(
          .notInstalled, "OpenVINO",
          expected: "\(OpenVINORuntime.libraryFile) in \(printable(text: folder))",
          found: "no such file", need: .runtime)
      }
      return path
    }

    /// The source of a model's bytes.
    enum Source: Sendable {
      case bytes([UInt8])
      case mapped(MappedMemory)
      case path(String)
    }

    /// Reads a model; one at a time.
    func read(
      _ source: Source, name: String
    ) throws(InferenceError) -> sending OpenVINOHandle {
      var problem = plumbline_openvino_problem()
      let address = handle.withLock { library in
        switch source {
        case .bytes(let bytes):
          bytes.withUnsafeBytes { Self.read($0, nil, library.pointer, &problem) }
        case .mapped(let model): Self.read(model.bytes, nil, library.pointer, &problem)
        case .path(let path): Self.read(nil, path, library.pointer, &problem)
        }
      }
      guard let pointer = OpaquePointer(bitPattern: address) else {
        throw InferenceError(
          .unsupported, name, expected: "a model that OpenVINO can read",
          found: problem.sentence)
      }
      return OpenVINOHandle(pointer: pointer)
    }

    /// The address of a network; 0 where it cannot be read.
    private static func read(
      _ bytes: UnsafeRawBufferPointer?, _ path: String?, _ library: OpaquePointer,
      _ problem: inout plumbline_openvino_problem
    ) -> UInt {
      UInt(
        bitPattern: plumbline_openvino_read(
          library, bytes?.baseAddress?.assumingMemoryBound(to: CChar.self), bytes?.count ?? 0,
          path, &problem))
    }
  }

  /// A network of the C side, freed with its owner.
  struct OpenVINOHandle: ~Copyable {
    let pointer: OpaquePointer

    deinit { plumbline_openvino_release_network(pointer) }
  }
#endif
