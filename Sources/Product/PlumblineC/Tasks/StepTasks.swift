import Plumbline

/// Corrects a capture into files, or a recording into a recording: `correct`.
struct CorrectTask {
  private let analysis: AnalysisSettings
  private let corrector: CaptureCorrector
  private let existing: OutputTransaction.ExistingFiles
  private let format: RecordingFormat?

  /// Reads the settings of the task.
  init(_ call: inout TaskCall) throws {
    analysis = try AnalysisSettings(&call.settings)
    try analysis.requireNoDistances()
    let correction = try CorrectionSettings(&call.settings)
    format = try call.settings.word("format")
    existing = try call.settings.existing()
    try call.settings.finish()
    corrector = try correction.corrector(
      calibration: analysis.calibration, devices: analysis.devices())
  }

  /// Corrects, and returns `plumbline.correct/1`.
  func perform(_ call: TaskCall) throws -> JSONValue {
    let input = try CaptureInput(path: call.input(), limits: analysis.limits)
    try analysis.requireFrameOfRecording(input)
    if case .recording(let recording, let name) = input, analysis.frame == nil {
      var transform = RecordingCorrection(
        corrector, deviceModel: analysis.device, assessesFrames: true)
      transform.requiresDepth = true
      return try RewritingTask(
        recording: analysis.statement.map { recording.stating($0) } ?? recording, name: name,
        format: format, existing: existing, threads: analysis.threads, schema: "plumbline.correct/1"
      ).perform(call, by: transform) { $0.result?.document() }
    }
    var analyzer = try analysis.analyzer(color: .full)
    analyzer.readsCompanions = true
    // The steps are made with numbers before and after, so the analysis keeps the capture's own.
    analyzer.calibration = nil
    analyzer.catalog = .bundled
    let before = try analyzer.analyze(input)
    guard before.capture.depth != nil else {
      throw CaptureReadingError(.missing, expected: "a depth map to correct", found: "none")
    }
    let result = try corrector.correct(before)
    try call.progress.step("writing", 0, of: 1)
    let outputs = try result.files.published(in: call.output, existing)
    return result.document(outputs: outputs)
  }
}

/// Filters a capture into files, or a recording into a recording: `filter`.
struct FilterTask {
  private let analysis: AnalysisSettings
  private let filter: CaptureFilter
  private let existing: OutputTransaction.ExistingFiles
  private let format: RecordingFormat?

  /// Reads the settings of the task.
  init(_ call: inout TaskCall) throws {
    analysis = try AnalysisSettings(&call.settings)
    filter = try FilterSettings(&call.settings).filter
    format = try call.settings.word("format")
    existing = try call.settings.existing()
    try call.settings.finish()
  }

  /// Filters, and returns `plumbline.filter/1`.
  func perform(_ call: TaskCall) throws -> JSONValue {
    let input = try CaptureInput(path: call.input(), limits: analysis.limits)
    try analysis.requireFrameOfRecording(input)
    let analyzer = try analysis.analyzer(color: filter.needsColor ? .full : .none)
    if case .recording(let recording, let name) = input, analysis.frame == nil {
      return try RewritingTask(
        recording: recording, name: name, format: format, existing: existing,
        threads: analysis.threads, schema: "plumbline.filter/1"
      ).perform(call, by: RecordingFiltering(filter, analyzer: analyzer)) { $0.document() }
    }
    var memory = TemporalFilter.Memory()
    let result = try filter.filter(analyzer.analyze(input), after: &memory)
    try call.progress.step("writing", 0, of: 1)
    let outputs = try result.files.published(in: call.output, existing)
    return result.document(outputs: outputs)
  }
}

/// Writes a recording as a recording, each frame by a transform.
private struct RewritingTask {
  let recording: Recording
  let name: String
  let format: RecordingFormat?
  let existing: OutputTransaction.ExistingFiles
  let threads: Int
  let schema: String

  /// Writes it, and returns the documents of its frames with those that were left out.
  func perform<Transform: RecordingTransform>(
    _ call: TaskCall, by transform: Transform, _ document: (Transform.Report) -> JSONValue?
  ) throws -> JSONValue {
    let output = try call.requiredOutput()
    guard let format = format ?? RecordingFormat(fileName: output) else {
      throw InterfaceError.usage(
        "output", expected: "an ending of .mcap or .r3d, or the setting format", found: output)
    }
    var converter = RecordingConverter(format)
    converter.threads = threads
    let indices = Array(recording.frames.indices)
    var documents: [JSONValue] = []
    let summary = try converter.convert(
      recording, indices: indices, path: output, existing: existing, origin: name,
      transform: transform
    ) { report in
      if let found = document(report) { documents.append(found) }
    } progress: {
      try call.progress.step("frames", $0, of: indices.count)
    }
    return ProcessedFrames.document(
      schema: schema, frames: documents, leftOut: summary.skipped.map { ($0.name, $0.reason) },
      recording: summary.document(output: output))
  }
}

extension [Extraction.File] {
  /// Writes the files of a depth map into a folder, all or none; nothing without a folder.
  func published(
    in folder: String?, _ existing: OutputTransaction.ExistingFiles
  ) throws -> [String] {
    var transaction = OutputTransaction(existing: existing)
    if let folder { try transaction.createDirectory(at: folder) }
    let outputs = try transaction.stage(self, in: folder, as: .depth)
    _ = try transaction.publish()
    return outputs
  }
}
