import Plumbline

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Estimates depth from one image by a network: `estimate`, of one capture or one frame.
struct EstimateTask {
  private let analysis: AnalysisSettings
  private let network: String
  private let card: String?
  private let placement: ModelCard.Placement?
  private var request = EstimateRequest()
  private let existing: OutputTransaction.ExistingFiles

  /// Reads the settings of the task.
  init(_ call: inout TaskCall) throws {
    analysis = try AnalysisSettings(&call.settings)
    network = try call.settings.text("network") ?? KnownModel.fastDepth.card.name
    card = try call.settings.text("card")
    placement = try call.settings.word("fit")
    request.sensorUse = try call.settings.word("fit-to") ?? .auto
    request.measuredDistances = analysis.distances
    request.board = try call.settings.board()
    request.shape = try call.settings.word("shape")
    request.isSharpened = try call.settings.flag("sharpen")
    request.fillsHoles = try call.settings.flag("fill")
    existing = try call.settings.existing()
    try call.settings.finish()
    guard request.board == nil || analysis.distances.isEmpty else {
      throw Settings.wrong("board", expected: "either this or known-distance", found: "both")
    }
    _ = try call.requiredOutput()
  }

  /// Estimates, and returns `plumbline.estimate/1`.
  func perform(_ call: TaskCall) throws -> JSONValue {
    let input = try CaptureInput(path: call.input(), limits: analysis.limits)
    try analysis.requireFrameOfRecording(input)
    if case .recording(let recording, _) = input, analysis.frame == nil {
      throw Settings.wrong(
        "frame", expected: "one of \(recording.frames.count) frames", found: "none")
    }
    let output = try call.requiredOutput()
    let camera = try analysis.calibration.map { try Self.camera(atPath: $0) }
    let estimator = CaptureEstimator(try model(), request: request, calibration: camera)
    try call.progress.step("estimating", 0, of: 1)
    var analyzer = CaptureAnalyzer(limits: analysis.limits, threads: analysis.threads)
    analyzer.acceptsPlainImages = true
    analyzer.frame = analysis.frame
    analyzer.statement = analysis.statement
    analyzer.deviceModel = analysis.device
    let result = try estimator.estimate(analyzer.analyze(input))
    try call.progress.step("writing", 0, of: 1)
    var transaction = OutputTransaction(existing: existing)
    try transaction.createDirectory(at: output)
    var outputs = try transaction.stage(result.files, in: output, as: .depth)
    let recording = path("capture.mcap", in: output)
    try transaction.stage(
      result.recording(origin: "\(PlumblineVersion.text) estimate, \(result.before.fileName)"),
      at: recording)
    outputs.append(recording)
    _ = try transaction.publish()
    return result.document(outputs: outputs)
  }

  /// The camera that a file holds.
  private static func camera(atPath path: String) throws -> CameraCalibration {
    let bytes = try InputFile(path: path).bytes
    do throws(CalibrationReadingError) {
      return try CalibrationFile(parsing: bytes).calibration
    } catch { throw CalibrationFileError(path: path, error: error) }
  }

  /// Loads the network and checks it against its card.
  private func model() throws -> DepthEstimator {
    #if os(Linux)
      let store = try Self.store()
      let runnable: any NeuralNetwork
      let used: ModelCard
      let digest: String
      if network.utf8.contains(UInt8(ascii: "/")) || network.hasSuffix(".onnx")
        || network.hasSuffix(".tflite")
      {
        let file = try ModelFile(path: network)
        digest = SHA256Digest.hexadecimal(of: file.bytes)
        used = try card(of: digest)
        runnable = try store.network(of: file, card: used, threads: analysis.threads)
      } else {
        guard card == nil else {
          throw Settings.wrong(
            "card", expected: "only for a file", found: "a card for an installed model")
        }
        digest = try store.model(named: network).sha256
        (runnable, used) = try store.network(named: network, threads: analysis.threads)
      }
      var estimator = try DepthEstimator(runnable, card: used, checksum: digest)
      if let placement { estimator.placement = placement }
      return estimator
    #else
      throw InterfaceError.missing(
        "network", expected: "a runtime for networks", found: "none on this platform yet")
    #endif
  }

  /// The installed networks, where the environment says that they are.
  private static func store() throws -> ModelStore {
    var environment: [String: String] = [:]
    for name in ["PLUMBLINE_MODELS", "PLUMBLINE_OPENVINO", "XDG_DATA_HOME", "HOME"] {
      if let value = getenv(name) { environment[name] = String(cString: value) }
    }
    guard let store = ModelStore(environment: environment) else {
      throw InterfaceError.missing(
        "network", expected: "PLUMBLINE_MODELS or HOME in the environment", found: "neither")
    }
    return store
  }

  /// The card of a file: that of the setting, else that by which the file is known.
  private func card(of digest: String) throws -> ModelCard {
    if let card {
      var limits = ReadingLimits()
      limits.fileBytes = 1 << 20
      return try ModelCard(JSONValue(parsing: InputFile(path: card, limits: limits).bytes))
    }
    guard let known = KnownModel.with(sha256: digest) else {
      throw Settings.wrong(
        "card", expected: "the card of a file that is not known",
        found: "none, and the file's SHA-256 is \(digest)")
    }
    return known.card
  }
}
