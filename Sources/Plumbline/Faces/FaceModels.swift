public import PlumblineFaces
public import PlumblineInference

/// What faces are found and fitted with: the networks of landmarks and a morphable model.
public struct FaceModels: Sendable {
  /// The networks that find faces and their landmarks.
  public let networks: FaceNetworks
  /// Fits the morphable model to the landmarks.
  public let fitter: FaceFitter
  /// The runtime of the networks, by name and version.
  public let runtimeName: String
  /// The number of threads that read an image.
  public let threads: Int

  /// Puts models together.
  public init(
    networks: FaceNetworks, model: MorphableModel, runtimeName: String, threads: Int = 2
  ) {
    self.networks = networks
    fitter = FaceFitter(model)
    self.runtimeName = runtimeName
    self.threads = threads
  }

  #if canImport(COpenVINO)
    /// Loads what a store has.
    ///
    /// - Parameters:
    ///   - store: The models' folder.
    ///   - name: The morphable model.
    ///   - threads: How many threads a network, and who reads images, may use.
    /// - Throws: ``InferenceError`` with what installs what is missing. Cost: some 0.3 s.
    public init(
      of store: ModelStore, morphableModel name: String = ICTFaceKit.name, threads: Int
    ) throws(InferenceError) {
      let model = try store.morphableModel(named: name)
      let networks = try store.faceNetworks(threads: threads)
      try self.init(
        networks: networks, model: model, runtimeName: store.runtime().name, threads: threads)
    }
  #endif
}
