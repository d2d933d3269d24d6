import Plumbline

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Estimates depth by a network from one image, or from each of a recording: `estimate`.
struct EstimateTask {
  private let analysis: AnalysisSettings
  private let store: ModelStore
  private let choice: ModelChoice
  private var request = EstimateRequest()
  private let existing: OutputTransaction.ExistingFiles

  /// Reads the settings of the task.
  init(_ call: inout TaskCall) throws {
    analysis = try AnalysisSettings(&call.settings)
    var store = try ModelStore.of(environment: { name in getenv(name).map { String(cString: $0) } })
    store.runtimeChoice = try call.settings.word("runtime")
    self.store = store
    choice = ModelChoice(
      model: try call.settings.text("network") ?? store.defaultNetworkName,
      card: try call.settings.text("card"), placement: try call.settings.word("fit"))
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
    guard choice.isFile || choice.card == nil else {
      throw Settings.wrong(
        "card", expected: "only for a file", found: "a card for an installed model")
    }
    _ = try call.requiredOutput()
  }

  /// Estimates, and returns `plumbline.estimate/1`; of a recording that of all frames.
  func perform(_ call: TaskCall) throws -> JSONValue {
    let input = try CaptureInput(path: call.input(), limits: analysis.limits)
    try analysis.requireFrameOfRecording(input)
    if case .recording = input, analysis.frame == nil { try analysis.requireNoDistances() }
    let output = try call.requiredOutput()
    let camera = try analysis.calibration.map { try CameraCalibration(atPath: $0) }
    let estimator = CaptureEstimator(
      try choice.estimator(of: store, threads: analysis.threads), request: request,
      calibration: camera)
    var analyzer = CaptureAnalyzer(limits: analysis.limits, threads: analysis.threads)
    analyzer.statement = analysis.statement
    analyzer.deviceModel = analysis.device
    analyzer.catalog = try analysis.devices()
    if case .recording(let recording, let name) = input, analysis.frame == nil {
      return try estimate(recording, named: name, call, by: estimator, analyzer, to: output)
    }
    try call.progress.step("estimating", 0, of: 1)
    analyzer.acceptsPlainImages = true
    analyzer.frame = analysis.frame
    let result = try estimator.estimate(analyzer.analyze(input))
    try call.progress.step("writing", 0, of: 1)
    return result.document(outputs: try result.published(in: output, existing))
  }

  /// Estimates every frame of a recording.
  private func estimate(
    _ recording: Recording, named name: String, _ call: TaskCall, by estimator: CaptureEstimator,
    _ analyzer: CaptureAnalyzer, to output: String
  ) throws -> JSONValue {
    let total = recording.frameNames.count
    var documents: [JSONValue] = []
    let frames = try RecordingEstimation(estimator, readingBy: analyzer).write(
      recording, named: name, to: output, existing
    ) {
      try call.progress.step("frames", $0, of: total)
    } report: { result, outputs in
      documents.append(result.document(outputs: outputs))
    }
    return frames.document(schema: "plumbline.estimate/1", frames: documents)
  }
}
