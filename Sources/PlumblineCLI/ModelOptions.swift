import ArgumentParser
import Plumbline

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Which model estimates depth, and how it sees an image.
struct ModelOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The model: the name of an installed one, or an ONNX or TFLite file.",
      discussion:
        "A file that is not known by its checksum needs --card. Unless given: fastdepth-nyu.",
      valueName: "NAME|FILE"), completion: .file(extensions: ["onnx", "tflite"]))
  var model = KnownModel.fastDepth.card.name

  @Option(
    help: ArgumentHelp("The model card of a file, JSON.", valueName: "FILE"),
    completion: .file(extensions: ["json"]))
  var card: String?

  @Option(
    name: .customLong("crop"),
    help: ArgumentHelp(
      "How an image of another shape is seen: scaleFill, scaleFit or centerCrop; the card's unless given.",
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
    try ModelChoice(model: model, card: card, placement: placement).estimator(threads: threads)
  }
}
