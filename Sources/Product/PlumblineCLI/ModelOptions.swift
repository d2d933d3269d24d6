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

  @Option(help: Self.cardHelp, completion: .file(extensions: ["json"]))
  var card: String?

  @Option(
    name: .customLong("fit"),
    help: ArgumentHelp(
      "How an image of another shape is fitted into the network's input: scaleFill, scaleFit or "
        + "centerCrop; the card's unless given.",
      valueName: "PLACEMENT"),
    transform: ModelCard.Placement.init(parsing:))
  var placement: ModelCard.Placement?

  @Option(help: Self.runtimeHelp, transform: RuntimeChoice.init(parsing:))
  var runtime: RuntimeChoice?

  /// The help text of `--card`.
  static let cardHelp = ArgumentHelp("The model card of a file, JSON.", valueName: "FILE")
  /// The help text of `--runtime`.
  static let runtimeHelp = ArgumentHelp(
    "What runs the network: openvino, onnxruntime, onnxruntime-cuda or onnxruntime-coreml.",
    discussion: "Unless given: what is installed, OpenVINO first. The last two are untried.",
    valueName: "NAME")

  /// A variable of the environment; `nil` where it is not set.
  static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  /// The store of this environment, whose networks run where `isolation` says, and by `runtime` where one is named.
  static func store(
    isolation: NetworkIsolation = .none, runtime: RuntimeChoice? = nil
  ) throws -> ModelStore {
    var store = try ModelStore.of(environment: environment)
    store.isolation = isolation
    store.runtimeChoice = runtime
    return store
  }

  /// Loads the model and checks it against its card.
  ///
  /// - Throws: As `ModelChoice.estimator(of:threads:)`.
  func estimator(threads: Int) throws -> DepthEstimator {
    let store = try Self.store(runtime: runtime)
    let name = network ?? store.defaultNetworkName
    return try ModelChoice(model: name, card: card, placement: placement)
      .estimator(of: store, threads: threads)
  }
}
