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
        "A file that is not known by its checksum needs --card. Unless given: the one that is "
        + "installed; of several fastdepth-nyu, else the first of those that models list names.",
      valueName: "NAME|FILE"), completion: .file(extensions: ["onnx", "tflite"]))
  var network: String?

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

  @Option(
    help: ArgumentHelp(
      "What runs the network: openvino, onnxruntime, onnxruntime-cuda or onnxruntime-coreml.",
      discussion: "Unless given: what is installed, OpenVINO first. The last two are untried.",
      valueName: "NAME"),
    transform: RuntimeChoice.init(parsing:))
  var runtime: RuntimeChoice?

  /// A variable of the environment; `nil` where it is not set.
  static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  /// The store of this environment, whose networks run where `isolation` says.
  static func store(isolation: NetworkIsolation = .none) throws -> ModelStore {
    var store = try ModelStore.of(environment: environment)
    store.isolation = isolation
    return store
  }

  /// Loads the model and checks it against its card.
  ///
  /// - Throws: As `ModelChoice.estimator(of:threads:)`.
  func estimator(threads: Int) throws -> DepthEstimator {
    var store = try Self.store()
    store.runtimeChoice = runtime
    let name = network ?? store.defaultNetworkName
    return try ModelChoice(model: name, card: card, placement: placement)
      .estimator(of: store, threads: threads)
  }
}
