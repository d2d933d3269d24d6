/// The process in which a runtime's networks run.
public enum NetworkIsolation: Sendable, Hashable {
  /// In this process: a model that crashes the runtime ends it.
  case none
  #if os(Linux) && canImport(COpenVINO)
    /// Each in a process of its own that can open no file and no connection: a model that crashes the
    /// runtime costs that network's run.
    case workers(NetworkWorkers)
  #endif

  /// Workers that are this program itself, started a second time; in this process where there are
  /// none (Apple platforms).
  ///
  /// - Precondition: `main` begins with `NetworkWorker.runIfAsked()`.
  public static func ownProgram() -> NetworkIsolation {
    #if os(Linux) && canImport(COpenVINO)
      .workers(NetworkWorkers())
    #else
      .none
    #endif
  }

  #if canImport(COpenVINO)
    /// A runtime of a folder, on the processor.
    func runtime(
      _ runtime: InstalledRuntime, folder: String
    ) throws(InferenceError) -> any ModelFileRuntime {
      #if os(Linux) && canImport(COpenVINO)
        if case .workers(let workers) = self {
          return try IsolatedRuntime(runtime, folder: folder, workers: workers)
        }
      #endif
      switch runtime {
      case .openVINO: return try OpenVINORuntime(folder: folder)
      case .onnxRuntime: return try ONNXRuntime(folder: folder)
      }
    }
  #endif
}

/// The smallest networks, one number in and one out, that make a runtime load what it loads when it is
/// first used.
enum WarmUpNetwork {
  /// The shape of the input and of the output.
  static let shape = [1, 1, 1, 1]

  /// A sum of the input with itself, as ONNX.
  static var onnx: ModelFile {
    ModelFile(name: "warm-up.onnx", bytes: onnxBytes)
  }

  /// Written by the `ONNXGraphWriter` of the tests: the input `a`, the operator Add, the output `b`.
  private static let onnxBytes: [UInt8] = [
    8, 8, 18, 9, 112, 108, 117, 109, 98, 108, 105, 110, 101, 66, 4, 10, 0, 16, 13, 58, 65, 10, 14,
    10, 1, 97, 10, 1, 97, 18, 1, 98, 34, 3, 65, 100, 100, 18, 7, 119, 97, 114, 109, 45, 117, 112,
    90, 27, 10, 1, 97, 18, 22, 10, 20, 8, 1, 18, 16, 10, 2, 8, 1, 10, 2, 8, 1, 10, 2, 8, 1, 10, 2,
    8, 1, 98, 9, 10, 1, 98, 18, 4, 10, 2, 8, 1,
  ]

  /// The same as TFLite.
  static var tflite: ModelFile {
    ModelFile(
      name: "warm-up.tflite",
      bytes: tfliteWords.flatMap { word in (0..<4).map { UInt8(word >> (8 * $0) & 0xFF) } })
  }

  /// Little-endian words, written by the `Writer` of `Tests/Oracles/tflite_network.py`: tensors `a` and
  /// `b`, and the operator ADD.
  private static let tfliteWords: [UInt32] = [
    24, 0x334C_4654, 0xE0000, 0x140018, 0xC0010, 0x40008, 14, 112, 16, 20, 72, 3, 0, 0, 1, 16,
    0x14000C, 0xC0010, 0x40008, 12, 68, 12, 16, 64, 1, 1, 1, 0, 1, 16, 0xA0000, 8, 0x40000, 10,
    1, 1, 180, 1, 32, 2, 120, 64, 0xE0000, 20, 0xC0010, 0x4000B, 14, 36, 0xB00_0000, 8, 12, 1,
    1, 2, 0, 0, 0xFFFF_FFA0, 0xFFFF_FFD8, 28, 4, 4, 1, 1, 1, 1, 1, 98, 0xC000C, 8, 0x40000, 12,
    28, 4, 4, 1, 1, 1, 1, 1, 97, 0x40004, 4,
  ]
}
