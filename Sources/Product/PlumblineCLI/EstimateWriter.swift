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
    var transaction = OutputTransaction(existing: existing)
    try transaction.createDirectory(at: output)
    var documents: [JSONValue] = []
    var lines: [String] = []
    let recorder = try recorder(
      at: transaction.reserve(at: path("capture.mcap", in: output)), origin: name,
      worldAxes: recording.worldAxes)
    let walk = try FrameWalk(recording, in: output, isQuiet: isQuiet || isJSON) { index, folder in
      let result = try translated { try self.result(of: recording, name, at: index) }
      if let folder { try transaction.createDirectory(at: folder) }
      let outputs = try transaction.stage(result.files, in: folder, as: .depth)
      try recorder.append(result, name: recording.frameNames[index])
      if isJSON { documents.append(result.document(outputs: outputs)) }
      lines += EstimateText(result).lines
    }
    try recorder.finish()
    _ = try transaction.publish()
    if isJSON {
      StandardOutput.print(
        document: walk.document(schema: "plumbline.estimate/1", frames: documents))
    } else if !isQuiet {
      for line in lines { StandardOutput.print(line) }
      StandardOutput.print(printable(text: path("capture.mcap", in: output)))
    }
    return walk.failures.isEmpty ? .success : CommandExit.unusableInput
  }

  /// Estimates a live camera: one recording of all results, and the files of the last one.
  func write(
    live camera: some DepthCameraSource, frames: Int?, seconds: Double?
  ) throws -> ExitCode {
    var transaction = OutputTransaction(existing: existing)
    try transaction.createDirectory(at: output)
    let stop = RecordingStop()
    let signals = SignalTrap { stop.request() }
    let recorder = try recorder(
      at: transaction.reserve(at: path("capture.mcap", in: output)), origin: "a live camera",
      worldAxes: .unknown)
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

  private func result(
    of recording: Recording, _ name: String, at index: Int
  ) throws -> EstimateResult {
    try estimator.estimate(
      CaptureAnalyzer(threads: threads).analyze(recording, named: name, at: index))
  }

  private func finish(_ result: EstimateResult) throws -> ExitCode {
    var transaction = OutputTransaction(existing: existing)
    try transaction.createDirectory(at: output)
    var outputs = try transaction.stage(result.files, in: output, as: .depth)
    let recording = path("capture.mcap", in: output)
    try transaction.stage(
      result.recording(origin: "\(PlumblineVersion.text) estimate, \(result.before.fileName)"),
      at: recording)
    outputs.append(recording)
    _ = try transaction.publish()
    if isJSON {
      StandardOutput.print(document: result.document(outputs: outputs))
    } else if !isQuiet {
      for line in EstimateText(result).lines { StandardOutput.print(line) }
      for path in outputs { StandardOutput.print("  \(printable(text: path))") }
    }
    return .success
  }

  private func recorder(
    at path: String, origin: String, worldAxes: WorldAxes
  ) throws -> EstimateRecorder {
    try EstimateRecorder(
      at: path,
      header: RecordingHeader(
        worldAxes: worldAxes, origin: "\(PlumblineVersion.text) estimate, \(origin)"))
  }

  /// What is wrong with one frame's image leaves that frame out, not the recording.
  private func translated(_ body: () throws -> EstimateResult) throws -> EstimateResult {
    do { return try body() } catch let error as EstimationError {
      let reason: CaptureReadingError.Reason =
        switch error.reason {
        case .missing, .cameraUnknown: .missing
        case .mismatch, .degenerate: .unsupported
        }
      throw CaptureReadingError(
        reason, expected: error.expected, found: error.found + CommandExit.help(for: error))
    }
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
    return try estimate(analyzer.analyze(input))
  }
}

/// The results of several frames as one recording on the disk.
final class EstimateRecorder: Sendable {
  private let writer: Mutex<MCAPRecordingWriter>

  init(at path: String, header: RecordingHeader) throws(RecordingWritingError) {
    let file = try DiskRecordingFile(path: path)
    writer = Mutex(try MCAPRecordingWriter(file: file, header: header))
  }

  func append(_ result: EstimateResult, name: String) throws {
    try writer.withLock { try $0.append(result.after.capture, name: name) }
  }

  func finish() throws { try writer.withLock { try $0.finish() } }
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
        "  ± \(published.rmseMeters) m at the best: the model's own on \(published.data), as published "
          + "(\(published.source)), not measured here")
    }
    if let filling = result.filling { lines.append("  \(filling.inventedCount) holes filled") }
    for finding in result.estimated.estimate.findings { lines.append("  \(finding.message)") }
    self.lines = lines
  }
}
