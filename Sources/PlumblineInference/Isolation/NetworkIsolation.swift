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
    /// OpenVINO of a folder.
    func runtime(folder: String) throws(InferenceError) -> any ModelFileRuntime {
      #if os(Linux) && canImport(COpenVINO)
        if case .workers(let workers) = self {
          return try IsolatedOpenVINORuntime(folder: folder, workers: workers)
        }
      #endif
      return try OpenVINORuntime(folder: folder)
    }
  #endif
}
