import ArgumentParser
import Plumbline

/// Writes and prints the heads of one image or of a recording.
struct FaceWriter {
  let fitter: PhotoFaceFitter
  /// Pairs of vertices whose distances are reported.
  let pairs: [VertexPair]
  /// Whether textures keep the light of the photo.
  let keepsLight: Bool
  let output: String?
  let existing: OutputTransaction.ExistingFiles
  let isJSON: Bool
  let isQuiet: Bool

  /// Makes the heads of a photo, or of one frame of a recording; without any the exit code is 1.
  func write(_ input: CaptureInput, frame: String?) throws -> ExitCode {
    var analyzer = CaptureAnalyzer(threads: fitter.threads)
    analyzer.acceptsPlainImages = true
    analyzer.frame = frame
    analyzer.catalog = try OwnCatalog.devices(nil)
    var photo = try fitter.fit(analyzer.analyze(input))
    photo.vertexPairs = pairs
    photo.keepsLight = keepsLight
    try finish(photo.files, photo.document(outputs:), FaceText(photo: photo).lines)
    return photo.faces.isEmpty ? CommandExit.notMeasurable : .success
  }

  /// Makes one head from all frames of a recording.
  func write(_ recording: Recording, name: String) throws -> ExitCode {
    var line = ProgressLine(total: recording.frameNames.count, isQuiet: isQuiet || isJSON)
    let measured = recording.taken(by: nil, knownBy: try OwnCatalog.devices(nil))
    var head = try fitter.fitHead(to: measured, named: name) { line.begin($0) }
    line.end()
    head.vertexPairs = pairs
    head.keepsLight = keepsLight
    try finish(head.files, head.document(outputs:), RecordedHeadText(head: head).lines)
    return .success
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
      StandardOutput.print(document: document(outputs))
    } else if !isQuiet {
      for line in lines() { StandardOutput.print(line) }
      for path in outputs { StandardOutput.print("  \(printable(text: path))") }
    }
  }
}
