import ArgumentParser
import Plumbline
import Synchronization

/// Writes and prints the estimates of one photo, of a recording's frames or of a live camera.
struct EstimateWriter: Sendable {
  let estimator: CaptureEstimator
  /// The number of threads that read an image.
  let threads: Int
  let output: String
  let existing: OutputTransaction.ExistingFiles
  let isJSON: Bool
  let isQuiet: Bool

  /// Estimates one photo, or one frame of a recording.
  func write(_ input: CaptureInput, frame: String?) throws -> ExitCode {
    try finish(estimator.estimate(input, frame: frame, threads: threads))
  }

  /// Estimates all frames of a recording: each in a folder of its own, and one recording of all.
  func write(_ recording: Recording, name: String) throws -> ExitCode {
    var documents: [JSONValue] = []
    var lines: [String] = []
    var progress = ProgressLine(total: recording.frameNames.count, isQuiet: isQuiet || isJSON)
    defer { progress.end() }
    var analyzer = CaptureAnalyzer(threads: threads)
    analyzer.catalog = try OwnCatalog.devices(nil)
    let frames = try RecordingEstimation(
      estimator, readingBy: analyzer
    ).write(recording, named: name, to: output, existing) {
      progress.begin($0)
    } report: { result, outputs in
      if isJSON { documents.append(result.document(outputs: outputs)) }
      lines += EstimateText(result).lines
    }
    progress.end()
    frames.printLeftOut()
    if isJSON {
      StandardOutput.print(
        document: frames.document(schema: "plumbline.estimate/1", frames: documents))
    } else if !isQuiet {
      for line in lines { StandardOutput.print(line) }
      StandardOutput.print(printable(text: path("capture.mcap", in: output)))
    }
    return frames.failures.isEmpty ? .success : CommandExit.unusableInput
  }

  /// Estimates a live camera: one recording of all results, and the files of the last one.
  func write(
    live camera: some DepthCameraSource, frames: Int?, seconds: Double?
  ) throws -> ExitCode {
    var transaction = OutputTransaction(existing: existing)
    try transaction.createDirectory(at: output)
    let stop = RecordingStop()
    let signals = SignalTrap { stop.request() }
    let recorder = try EstimateRecorder(
      at: transaction.reserve(at: path("capture.mcap", in: output)), worldAxes: .unknown,
      origin: "a live camera")
    let last = Mutex<EstimateResult?>(nil)
    let live = LiveEstimation(
      camera, by: estimator, frameLimit: frames, secondsLimit: seconds)
    let counts = try blocking {
      try await live.run(stop: stop) { result, number in
        try recorder.append(result, name: "\(number)")
        last.withLock { $0 = result }
        if !isQuiet, !isJSON {
          for line in EstimateText(result).lines { StandardOutput.print(line) }
        }
      }
    }
    signals.cancel()
    try recorder.finish()
    guard let result = last.withLock({ $0 }) else {
      return CommandExit.failing(.unusableInput, "the camera gave no frame")
    }
    let outputs = try transaction.stage(result.files, in: output, as: .depth)
    _ = try transaction.publish()
    if isJSON {
      let document = JSONValue.object([
        ("schema", "plumbline.estimate/1"), ("received", .integer(counts.received)),
        ("estimated", .integer(counts.estimated)), ("dropped", .integer(counts.dropped)),
        ("last", result.document(outputs: outputs)),
      ])
      StandardOutput.print(document: document)
    } else if !isQuiet {
      StandardOutput.print(
        "\(counts.estimated) of \(counts.received) frames estimated, \(counts.dropped) dropped")
    }
    return .success
  }

  private func finish(_ result: EstimateResult) throws -> ExitCode {
    let outputs = try result.published(in: output, existing)
    if isJSON {
      StandardOutput.print(document: result.document(outputs: outputs))
    } else if !isQuiet {
      for line in EstimateText(result).lines { StandardOutput.print(line) }
      for path in outputs { StandardOutput.print("  \(printable(text: path))") }
    }
    return .success
  }
}

extension CaptureEstimator {
  /// Estimates one photo, an image of a kind that carries no depth (PNG, PPM), or one frame of a recording.
  func estimate(
    _ input: CaptureInput, frame: String? = nil, threads: Int
  ) throws -> EstimateResult {
    var analyzer = CaptureAnalyzer(threads: threads)
    analyzer.acceptsPlainImages = true
    analyzer.frame = frame
    analyzer.catalog = try OwnCatalog.devices(nil)
    return try estimate(analyzer.analyze(input))
  }
}

/// An estimate in a few lines of text.
struct EstimateText {
  let lines: [String]

  init(_ result: EstimateResult) {
    var lines = [printable(text: "\(result.before.fileName): \(result.after.assessment.reason)")]
    for distance in result.distances {
      lines.append(
        "  known distance \(distance.meters.fixed(3)) m at \(distance.text)"
          + (distance.estimatedMeters.map { ", estimated as \($0.fixed(3)) m" } ?? ""))
    }
    if let fit = result.estimated.fit {
      lines.append("  fit to \(fit.summary)")
      if let refusal = fit.refusal { lines.append("  not believed: \(refusal)") }
      if let left = fit.heldOut {
        lines.append("  places left out are missed by \(left.sigmaPercent.fixed(1)) % of the depth")
      }
    }
    if !result.estimated.isFitted, result.estimated.estimate.isMetric,
      let published = result.estimator.card.publishedError
    {
      lines.append(
        "  \(published.summary), as published of the model (\(published.source)); "
          + "not measured here, and no ± of this image")
    }
    if let refusal = result.fillingRefusal { lines.append("  \(refusal)") }
    if let filling = result.filling { lines.append("  \(filling.inventedCount) holes filled") }
    for finding in result.estimated.estimate.findings { lines.append("  \(finding.message)") }
    self.lines = lines
  }
}
