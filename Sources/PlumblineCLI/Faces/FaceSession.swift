import ArgumentParser
import Plumbline

/// Fits the faces of one image and writes the results.
struct FaceSession {
  let models: FaceModels
  /// Pairs of vertices whose distances are reported.
  let pairs: [VertexPair]
  let calibration: CameraCalibration?
  let threads: Int
  let output: String?
  let existing: OutputTransaction.ExistingFiles
  let isJSON: Bool
  let isQuiet: Bool

  /// One photo.
  func run(photo file: InputFile) throws -> ExitCode {
    let check = try CaptureCheck(
      EstimateSession.capture(of: file, threads: threads), fileName: lastPathPart(file.path),
      sha256: SHA256Digest.hexadecimal(of: file.bytes))
    let focal = ExifMetadata(photo: file.bytes)?.filmFocalLength
    return try finish(
      FaceRun(check, by: models, calibration: calibration, exifFocal: focal))
  }

  /// One frame of a recording.
  func run(_ recording: Recording, name: String, index: Int) throws -> ExitCode {
    var capture = try recording.capture(at: index, color: .full)
    capture.findings += recording.findings
    let check = try CaptureCheck(capture, fileName: "\(name)/\(recording.frameNames[index])")
    return try finish(FaceRun(check, by: models, calibration: calibration))
  }

  /// One head from all frames of a recording.
  func run(_ recording: Recording, name: String) throws -> ExitCode {
    var line = ProgressLine(total: recording.frameNames.count, isQuiet: isQuiet || isJSON)
    var run = try HeadScanRun(recording, name: name, by: models, threads: threads) {
      line.begin($0)
    }
    line.end()
    run.vertexPairs = pairs
    try finish(run.files, run.document(outputs:), HeadScanText(run).lines)
    return .success
  }

  private func finish(_ run: FaceRun) throws -> ExitCode {
    var run = run
    run.vertexPairs = pairs
    try finish(run.files, run.document(outputs:), FaceText(run).lines)
    return run.faces.isEmpty ? CommandExit.notMeasurable : .success
  }

  /// Writes the files where a folder is given, and prints what was requested.
  private func finish(
    _ files: @autoclosure () throws -> [Extraction.File], _ document: ([String]) -> JSONValue,
    _ lines: @autoclosure () -> [String]
  ) throws {
    var outputs: [String] = []
    if let output {
      var transaction = OutputTransaction(existing: existing)
      try transaction.createDirectory(at: output)
      outputs = try transaction.stage(files(), in: output, as: .faces)
      _ = try transaction.publish()
    }
    if isJSON {
      StandardOutput.print(JSONWriter().text(document(outputs)))
    } else if !isQuiet {
      for line in lines() { StandardOutput.print(line) }
      for path in outputs { StandardOutput.print("  \(printable(text: path))") }
    }
  }
}
