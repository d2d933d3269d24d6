import ArgumentParser
import Plumbline

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Which network estimates depth, and how it sees an image.
struct ModelOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The network: the name of an installed one, or an ONNX or TFLite file.",
      discussion:
        "A file that is not known by its checksum needs --card. Unless given: fastdepth-nyu.",
      valueName: "NAME|FILE"), completion: .file(extensions: ["onnx", "tflite"]))
  var network = KnownModel.fastDepth.card.name

  @Option(
    help: ArgumentHelp("The model card of a file, JSON.", valueName: "FILE"),
    completion: .file(extensions: ["json"]))
  var card: String?

  @Option(
    name: .customLong("fit"),
    help: ArgumentHelp(
      "How an image of another shape is fitted into the network's input: scaleFill, scaleFit or "
        + "centerCrop; the card's unless given.",
      valueName: "PLACEMENT"),
    transform: ModelCard.Placement.init(parsing:))
  var placement: ModelCard.Placement?

  /// A variable of the environment; `nil` where it is not set.
  static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  /// The store of this environment, whose networks run where `isolation` says.
  static func store(isolation: NetworkIsolation = .none) throws -> ModelStore {
    var environment: [String: String] = [:]
    for name in ["PLUMBLINE_MODELS", "PLUMBLINE_OPENVINO", "XDG_DATA_HOME", "HOME"] {
      if let value = Self.environment(name) { environment[name] = value }
    }
    guard var store = ModelStore(environment: environment) else {
      throw InferenceError(
        .notInstalled, "the models' folder", expected: "PLUMBLINE_MODELS or HOME",
        found: "neither is set")
    }
    store.isolation = isolation
    return store
  }

  /// Loads the model and checks it against its card.
  ///
  /// - Throws: As ``ModelChoice/estimator(threads:)``.
  func estimator(threads: Int) throws -> DepthEstimator {
    try ModelChoice(model: network, card: card, placement: placement).estimator(threads: threads)
  }
}

/// A model by its name or file, with what the command line says of it.
struct ModelChoice {
  /// The name of an installed one, or an ONNX or TFLite file.
  var model: String
  /// The path of the model card, for a file that is not known by its checksum.
  var card: String?
  /// How an image of another shape is seen; `nil` for the card's own way.
  var placement: ModelCard.Placement?

  /// Loads the model and checks it against its card.
  ///
  /// - Throws: `InferenceError`, `InputError` and `JSONReadingError` of the card.
  func estimator(threads: Int) throws -> DepthEstimator {
    #if canImport(COpenVINO) || os(Linux)
      let store = try ModelOptions.store()
      let network: any NeuralNetwork
      let used: ModelCard
      let digest: String
      if isFile {
        let file = try ModelFile(path: model)
        digest = SHA256Digest.hexadecimal(of: file.bytes)
        used = try card(of: digest)
        network = try store.network(of: file, card: used, threads: threads)
      } else {
        guard card == nil else {
          throw InferenceError(
            .mismatch, printable(text: model), expected: "--card with a file only",
            found: "the name of an installed model, which has a card")
        }
        digest = try store.model(named: model).sha256
        (network, used) = try store.network(named: model, threads: threads)
      }
      var estimator = try DepthEstimator(network, card: used, checksum: digest)
      if let placement { estimator.placement = placement }
      return estimator
    #else
      throw InferenceError(
        .notInstalled, printable(text: model), expected: "a runtime for networks",
        found: "none on this platform yet")
    #endif
  }

  private var isFile: Bool {
    model.utf8.contains(UInt8(ascii: "/")) || model.hasSuffix(".onnx") || model.hasSuffix(".tflite")
  }

  /// The card of a file: that of `--card`, else that by which the file is known.
  private func card(of digest: String) throws -> ModelCard {
    if let card {
      var limits = ReadingLimits()
      limits.fileBytes = 1 << 20
      return try ModelCard(JSONValue(parsing: InputFile(path: card, limits: limits).bytes))
    }
    guard let known = KnownModel.with(sha256: digest) else {
      throw InferenceError(
        .mismatch, printable(text: lastPathPart(model)),
        expected: "--card with what its numbers mean", found: "an unknown file, SHA-256 \(digest)")
    }
    return known.card
  }
}
