package import PlumblineIO
package import PlumblineRecordings

/// Estimates all frames of a recording: each in a folder of its own, and one recording of all results.
package struct RecordingEstimation {
  private let estimator: CaptureEstimator
  private let analyzer: CaptureAnalyzer

  /// Prepares.
  ///
  /// - Parameters:
  ///   - estimator: The model with the settings of the estimate.
  ///   - analyzer: How frames are read.
  package init(_ estimator: CaptureEstimator, readingBy analyzer: CaptureAnalyzer) {
    self.estimator = estimator
    self.analyzer = analyzer
  }

  /// Estimates and writes; all outputs appear together, or none does.
  ///
  /// - Parameters:
  ///   - recording: The frames.
  ///   - name: The name of the recording, which outputs carry.
  ///   - folder: The folder; it is made if it does not exist.
  ///   - existing: What becomes of files that exist.
  ///   - progress: Called before each frame with its position; what it throws ends the work.
  ///   - report: Gets the result of each frame with the paths of its files.
  /// - Returns: How many frames were estimated, and which were left out.
  /// - Throws: Where not one frame can be estimated, why the first cannot; errors of writing. Cost: that of the model
  ///   for each frame; one frame is in memory at a time.
  package func write(
    _ recording: Recording, named name: String, to folder: String,
    _ existing: OutputTransaction.ExistingFiles, progress: (Int) throws -> Void,
    report: (EstimateResult, [String]) -> Void
  ) throws -> ProcessedFrames {
    var transaction = OutputTransaction(existing: existing)
    try transaction.createDirectory(at: folder)
    let recorder = try EstimateRecorder(
      at: transaction.reserve(at: path("capture.mcap", in: folder)), worldAxes: recording.worldAxes,
      origin: name)
    let frames = try recording.processFrames(in: folder, progress: progress) { index, folder in
      let result = try estimator.estimate(analyzer.analyze(recording, named: name, at: index))
      if let folder { try transaction.createDirectory(at: folder) }
      let outputs = try transaction.stage(result.files, in: folder, as: .depth)
      try recorder.append(result, name: recording.frameNames[index])
      report(result, outputs)
    }
    try recorder.finish()
    _ = try transaction.publish()
    return frames
  }
}
