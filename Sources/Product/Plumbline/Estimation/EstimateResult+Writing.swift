package import PlumblineIO
package import PlumblineModel
package import PlumblineRecordings
package import PlumblineStreams
import Synchronization

extension EstimateResult {
  /// Writes the files of an estimate and its recording into a folder, all or none.
  ///
  /// - Returns: Their paths.
  package func published(
    in folder: String, _ existing: OutputTransaction.ExistingFiles
  ) throws -> [String] {
    var transaction = OutputTransaction(existing: existing)
    try transaction.createDirectory(at: folder)
    var outputs = try transaction.stage(files, in: folder, as: .depth)
    let place = path("capture.mcap", in: folder)
    try transaction.stage(
      recording(origin: "\(PlumblineVersion.text) estimate, \(before.fileName)"), at: place)
    outputs.append(place)
    _ = try transaction.publish()
    return outputs
  }
}

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

/// The results of several frames as one recording on the disk; it may be used from several threads.
package final class EstimateRecorder: Sendable {
  private let writer: Mutex<MCAPRecordingWriter>

  /// Creates the file.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - axes: The axes of the world of the frames.
  ///   - origin: What was estimated.
  /// - Throws: Where the file cannot be created.
  package init(
    at path: String, worldAxes axes: WorldAxes, origin: String
  ) throws(RecordingWritingError) {
    let file = try DiskRecordingFile(path: path)
    writer = Mutex(
      try MCAPRecordingWriter(
        file: file,
        header: RecordingHeader(
          worldAxes: axes, origin: "\(PlumblineVersion.text) estimate, \(origin)")))
  }

  /// Adds the result of a frame.
  package func append(_ result: EstimateResult, name: String) throws {
    try writer.withLock { try $0.append(result.after.capture, name: name) }
  }

  /// Completes the file.
  package func finish() throws { try writer.withLock { try $0.finish() } }
}
