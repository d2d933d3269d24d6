package import PlumblineInference
import PlumblineIO
import PlumblineImages

/// A network that a user chooses by its name or file, with what the user says of it.
package struct ModelChoice: Sendable {
  /// The name of an installed one, or an ONNX or TFLite file; on Apple platforms a Core ML model.
  package var model: String
  /// The path of the model card, for a file that is not known by its checksum.
  package var card: String?
  /// How an image of another shape is seen; `nil` for the card's own way.
  package var placement: ModelCard.Placement?

  /// Creates a choice.
  package init(model: String, card: String? = nil, placement: ModelCard.Placement? = nil) {
    self.model = model
    self.card = card
    self.placement = placement
  }

  /// Whether it is a file rather than the name of an installed network.
  package var isFile: Bool {
    model.utf8.contains(UInt8(ascii: "/"))
      || ["onnx", "tflite", "mlmodel", "mlpackage", "mlmodelc"].contains {
        model.hasSuffix("." + $0)
      }
  }

  /// Loads the network and checks it against its card.
  ///
  /// - Parameters:
  ///   - store: The installed networks.
  ///   - threads: The most threads.
  /// - Returns: The network with the meaning of its numbers.
  /// - Throws: `InferenceError`; `InputError` and ``FileError`` of the card.
  package func estimator(of store: ModelStore, threads: Int) throws -> DepthEstimator {
    #if os(Linux)
      let (network, used, digest) = try network(of: store, threads: threads)
      var estimator = try DepthEstimator(network, card: used, checksum: digest)
      estimator.runtime = RuntimeDescription(try store.runtime())
      if let placement { estimator.placement = placement }
      return estimator
    #elseif canImport(CoreML)
      return try coreMLEstimator()
    #else
      throw InferenceError(
        .notInstalled, printable(text: model), expected: "a runtime for networks",
        found: "none on this platform yet")
    #endif
  }

  /// Loads a network for segmentation and checks it against its card.
  ///
  /// - Parameters:
  ///   - store: The installed networks.
  ///   - threads: The most threads.
  /// - Returns: The network with the meaning of its numbers.
  /// - Throws: `InferenceError`; `InputError` and ``FileError`` of the card.
  package func segmenter(of store: ModelStore, threads: Int) throws -> ForegroundSegmenter {
    #if os(Linux)
      var (network, used, digest) = try network(of: store, threads: threads)
      if let placement { used.placement = placement }
      return try ForegroundSegmenter(
        network, card: used, checksum: digest, runtime: RuntimeDescription(try store.runtime()))
    #else
      throw InferenceError(
        .notInstalled, printable(text: model), expected: "a runtime for segmentation",
        found: "none on this platform yet")
    #endif
  }

  #if os(Linux)
    /// Loads the network, with its card and the SHA-256 of its file.
    private func network(
      of store: ModelStore, threads: Int
    ) throws -> (network: any NeuralNetwork, card: ModelCard, sha256: String) {
      if isFile {
        let file = try ModelFile(path: model)
        let digest = SHA256Digest.hexadecimal(of: file.bytes)
        let used = try card(of: digest)
        return (try store.network(of: file, card: used, threads: threads), used, digest)
      }
      guard card == nil else {
        throw InferenceError(
          .mismatch, printable(text: model), expected: "a model card with a file only",
          found: "the name of an installed model, which has a card")
      }
      let digest = try store.model(named: model).sha256
      let (network, used) = try store.network(named: model, threads: threads)
      return (network, used, digest)
    }
  #endif

  #if canImport(CoreML)
    /// Loads a Core ML model; its card is the one that was given, else that of Apple's FCRN where it is one.
    private func coreMLEstimator() throws -> DepthEstimator {
      let name = printable(text: lastPathPart(model))
      guard isFile, !model.hasSuffix(".onnx"), !model.hasSuffix(".tflite") else {
        throw InferenceError(
          .unsupported, name, expected: "a Core ML model: .mlmodelc, .mlmodel or .mlpackage",
          found: "another, which this platform has no runtime for")
      }
      let (network, interface) = try CoreMLRuntime().loaded(at: model)
      guard let used = try writtenCard() ?? interface.knownCard else {
        throw InferenceError(
          .mismatch, name, expected: "a model card with what its numbers mean",
          found: "an unknown model", need: .card)
      }
      var estimator = try DepthEstimator(network, card: used)
      if let placement { estimator.placement = placement }
      return estimator
    }
  #endif

  /// The card of a file: the one that was given, else that by which the file is known.
  private func card(of digest: String) throws -> ModelCard {
    if let written = try writtenCard() { return written }
    guard let known = KnownModel.with(sha256: digest) else {
      throw InferenceError(
        .mismatch, printable(text: lastPathPart(model)),
        expected: "a model card with what its numbers mean",
        found: "an unknown file, SHA-256 \(digest)")
    }
    return known.card
  }

  /// The card that was given; `nil` for none.
  private func writtenCard() throws -> ModelCard? {
    guard let card else { return nil }
    var limits = ReadingLimits()
    limits.fileBytes = 1 << 20
    let bytes = try InputFile(path: card, limits: limits).bytes
    return try FileError.naming(card) { try ModelCard(JSONValue(parsing: bytes)) }
  }
}

extension ModelStore {
  /// The store of an environment.
  ///
  /// - Parameter variable: The value of a variable; `nil` where it is not set.
  /// - Returns: The store.
  /// - Throws: ``InferenceError`` where no variable says where networks are.
  package static func of(
    environment variable: (String) -> String?
  ) throws(InferenceError) -> ModelStore {
    var environment: [String: String] = [:]
    for name in [
      "PLUMBLINE_MODELS", "PLUMBLINE_OPENVINO", "PLUMBLINE_ONNXRUNTIME", "XDG_DATA_HOME", "HOME",
    ] {
      environment[name] = variable(name)
    }
    guard let store = ModelStore(environment: environment) else {
      throw InferenceError(
        .notInstalled, "the models' folder", expected: "PLUMBLINE_MODELS or HOME",
        found: "neither is set")
    }
    return store
  }
}
