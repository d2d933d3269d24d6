import ArgumentParser
import Plumbline
import Synchronization

/// Estimates one photo, a recording's frames or a live camera, and writes the results.
struct EstimateSession: Sendable {
  let estimator: DepthEstimator
  let request: EstimateRequest
  let calibration: CameraCalibration?
  let threads: Int
  let output: String
  let existing: OutputTransaction.ExistingFiles
  let isJSON: Bool
  let isQuiet: Bool

  /// One photo or frame file.
  func run(photo file: InputFile) throws -> ExitCode {
    let run = try Self.run(
      of: file, by: estimator, request: request, calibration: calibration, threads: threads)
    return try finish(run)
  }

  /// One frame of a recording.
  func run(_ recording: Recording, name: String, index: Int) throws -> ExitCode {
    try finish(self.run(frame: index, of: recording, name))
  }

  /// All frames of a recording, each in a folder of its own; one recording of all results.
  func run(_ recording: Recording, name: String) throws -> ExitCode {
    var transaction = OutputTransaction(existing: existing)
    try transaction.createDirectory(at: output)
    var documents: [JSONValue] = []
    var lines: [String] = []
    let recorder = try recorder(
      at: transaction.reserve(at: path("capture.mcap", in: output)), origin: name,
      worldAxes: recording.worldAxes)
    let walk = try FrameWalk(recording, in: output, isQuiet: isQuiet || isJSON) { index, folder in
      let run = try translated { try self.run(frame: index, of: recording, name) }
      if let folder { try transaction.createDirectory(at: folder) }
      let outputs = try transaction.stage(run.files, in: folder, as: .depth)
      try recorder.append(run, name: recording.frameNames[index])
      if isJSON { documents.append(run.document(outputs: outputs)) }
      lines += EstimateText(run).lines
    }
    try recorder.finish()
    _ = try transaction.publish()
    if isJSON {
      StandardOutput.print(
        JSONWriter().text(walk.document(schema: "plumbline.estimate/1", frames: documents)))
    } else if !isQuiet {
      for line in lines { StandardOutput.print(line) }
      StandardOutput.print(printable(text: path("capture.mcap", in: output)))
    }
    return walk.failures.isEmpty ? .success : CommandExit.unusableInput
  }

  /// A live camera: one recording of all results, and the files of the last one.
  func run(
    live camera: some DepthCameraSource, frames: Int?, seconds: Double?
  ) throws -> ExitCode {
    var transaction = OutputTransaction(existing: existing)
    try transaction.createDirectory(at: output)
    let stop = RecordingStop()
    let signals = SignalTrap { stop.request() }
    let recorder = try recorder(
      at: transaction.reserve(at: path("capture.mcap", in: output)), origin: "a live camera",
      worldAxes: .unknown)
    let last = Mutex<EstimateRun?>(nil)
    let live = LiveEstimation(
      camera, by: estimator, request: request, frameLimit: frames, secondsLimit: seconds)
    let counts = try blocking {
      try await live.run(stop: stop) { run, number in
        try recorder.append(run, name: "\(number)")
        last.withLock { $0 = run }
        if !isQuiet, !isJSON { for line in EstimateText(run).lines { StandardOutput.print(line) } }
      }
    }
    signals.cancel()
    try recorder.finish()
    guard let run = last.withLock({ $0 }) else {
      StandardError.print("plumbline: the camera gave no frame")
      return CommandExit.unusableInput
    }
    let outputs = try transaction.stage(run.files, in: output, as: .depth)
    _ = try transaction.publish()
    if isJSON {
      let document = JSONValue.object([
        ("schema", "plumbline.estimate/1"), ("received", .integer(counts.received)),
        ("estimated", .integer(counts.estimated)), ("dropped", .integer(counts.dropped)),
        ("last", run.document(outputs: outputs)),
      ])
      StandardOutput.print(JSONWriter().text(document))
    } else if !isQuiet {
      StandardOutput.print(
        "\(counts.estimated) of \(counts.received) frames estimated, \(counts.dropped) dropped")
    }
    return .success
  }

  /// Estimates one photo or frame file.
  static func run(
    of file: InputFile, by estimator: DepthEstimator, request: EstimateRequest = EstimateRequest(),
    calibration: CameraCalibration? = nil, threads: Int
  ) throws -> EstimateRun {
    let check = try CaptureCheck(
      capture(of: file, threads: threads), fileName: lastPathPart(file.path),
      sha256: SHA256Digest.hexadecimal(of: file.bytes))
    let focal = ExifMetadata(photo: file.bytes)?.filmFocalLength
    return try EstimateRun(
      check, by: estimator, request: request, calibration: calibration,
      exifFocal: focal)
  }

  /// A photo with whatever depth it has, or an image of a kind that carries none (PNG, PPM).
  static func capture(of file: InputFile, threads: Int) throws -> Capture {
    do throws(CaptureReadingError) {
      return try CaptureReader(color: .full, threads: threads).capture(from: file.bytes)
    } catch {
      guard error.reason == .unsupported,
        let image = try? StereoImageReader(threads: threads).image(from: file.bytes)
      else { throw error }
      var found = Capture(source: CaptureSource(interface: .photo))
      found.color = image.color
      found.colorSize = image.color.size
      return found
    }
  }

  private func run(frame index: Int, of recording: Recording, _ name: String) throws -> EstimateRun
  {
    var capture = try recording.capture(at: index, color: .full)
    capture.findings += recording.findings
    let check = try CaptureCheck(capture, fileName: "\(name)/\(recording.frameNames[index])")
    return try EstimateRun(check, by: estimator, request: request, calibration: calibration)
  }

  private func finish(_ run: EstimateRun) throws -> ExitCode {
    var transaction = OutputTransaction(existing: existing)
    try transaction.createDirectory(at: output)
    var outputs = try transaction.stage(run.files, in: output, as: .depth)
    let recording = path("capture.mcap", in: output)
    try transaction.stage(
      run.recording(origin: "\(PlumblineVersion.text) estimate, \(run.before.fileName)"),
      at: recording)
    outputs.append(recording)
    _ = try transaction.publish()
    if isJSON {
      StandardOutput.print(JSONWriter().text(run.document(outputs: outputs)))
    } else if !isQuiet {
      for line in EstimateText(run).lines { StandardOutput.print(line) }
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
  private func translated(_ body: () throws -> EstimateRun) throws -> EstimateRun {
    do { return try body() } catch let error as EstimationError {
      throw CaptureReadingError(
        error.reason == .missing ? .missing : .unsupported, expected: error.expected,
        found: error.found)
    }
  }
}

/// The results of several frames as one recording on the disk.
final class EstimateRecorder: Sendable {
  private let writer: Mutex<MCAPRecordingWriter>

  init(at path: String, header: RecordingHeader) throws(RecordingWritingError) {
    let file = try DiskRecordingFile(path: path)
    writer = Mutex(try MCAPRecordingWriter(file: file, header: header))
  }

  func append(_ run: EstimateRun, name: String) throws {
    try writer.withLock { try $0.append(run.after.capture, name: name) }
  }

  func finish() throws { try writer.withLock { try $0.finish() } }
}

/// An estimate in a few lines of text.
struct EstimateText {
  let lines: [String]

  init(_ run: EstimateRun) {
    var lines = [printable(text: "\(run.before.fileName): \(run.after.assessment.reason)")]
    if let fit = run.estimated.fit {
      lines.append("  fit to \(fit.summary)")
      if let refusal = fit.refusal { lines.append("  not believed: \(refusal)") }
      if let left = fit.heldOut {
        lines.append("  places left out are missed by \(left.sigmaPercent.fixed(1)) % of the depth")
      }
    }
    if !run.estimated.isFitted, run.estimated.estimate.isMetric,
      let published = run.estimator.card.publishedError
    {
      lines.append(
        "  ± \(published.rmseMeters) m at the best: the model's own on \(published.data), as published "
          + "(\(published.source)), not measured here")
    }
    if let filling = run.filling { lines.append("  \(filling.inventedCount) holes filled") }
    for finding in run.estimated.estimate.findings { lines.append("  \(finding.message)") }
    self.lines = lines
  }
}
