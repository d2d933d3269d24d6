package import PlumblineModel
import PlumblineRecordings
package import PlumblineStreams
import Synchronization

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
