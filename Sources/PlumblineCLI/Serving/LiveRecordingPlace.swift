import Plumbline
import PlumblineServer
import Synchronization

/// Where live cameras are recorded: the first one in the file that was named, each other one beside it
/// with a number.
final class LiveRecordingPlace: Sendable {
  private let path: String
  private let existing: OutputTransaction.ExistingFiles
  /// How color is stored.
  let options: MCAPRecordingOptions
  private let count = Mutex(0)

  init(path: String, existing: OutputTransaction.ExistingFiles, options: MCAPRecordingOptions) {
    self.path = path
    self.existing = existing
    self.options = options
  }

  /// Records one camera and tells its viewers how far it is, and `stored` how many frames a power cut
  /// would leave.
  func record(
    _ camera: any DepthCameraSource, header: RecordingHeader, feed: LiveFeed, stop: RecordingStop,
    stored: @escaping @Sendable (Int) -> Void = { _ in }
  ) async throws(RecordingWritingError) -> (outcome: RecordingSession.Outcome, path: String) {
    let path = nextPath()
    let run = RecordRun(camera, header: header, options: options)
    let outcome = try await run.record(into: path, existing: existing, stop: stop) { statistics in
      feed.set(
        recording: LiveRecording(
          path: path, frames: statistics.writtenFrames, stored: statistics.storedFrames,
          bytes: statistics.byteCount))
      stored(statistics.storedFrames)
    }
    return (outcome, path)
  }

  private func nextPath() -> String {
    let number = count.withLock { count in
      count += 1
      return count
    }
    guard number > 1 else { return path }
    let ending = ".mcap"
    guard path.hasSuffix(ending) else { return "\(path)-\(number)" }
    return "\(path.dropLast(ending.count))-\(number)\(ending)"
  }
}
