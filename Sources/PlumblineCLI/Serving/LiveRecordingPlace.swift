import Plumbline
import PlumblineServer
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Where live cameras are recorded: the first one in the file that was named, each other one beside it
/// with the next number that is free.
final class LiveRecordingPlace: Sendable {
  private let path: String
  private let existing: OutputTransaction.ExistingFiles
  /// The options of the recordings, such as the encoding of color.
  let options: MCAPRecordingOptions
  private let count = Mutex(0)

  /// - Throws: `.output` where the file could not be begun now; cameras come later.
  init(
    path: String, existing: OutputTransaction.ExistingFiles, options: MCAPRecordingOptions
  ) throws(RecordingWritingError) {
    try DiskRecordingFile.tryOut(path: path, existing: existing)
    self.path = path
    self.existing = existing
    self.options = options
  }

  /// Records one camera and reports its progress to viewers, and `stored` how many frames a power cut
  /// would leave.
  func record(
    _ camera: any DepthCameraSource, header: RecordingHeader, feed: LiveFeed, stop: RecordingStop,
    stored: @escaping @Sendable (Int) -> Void = { _ in }
  ) async throws(RecordingWritingError) -> (outcome: RecordingSession.Outcome, path: String) {
    let path = nextPath()
    let run = RecordRun(camera, header: header, options: options)
    let outcome = try await run.record(into: path, existing: existing, stop: stop) { statistics in
      feed.set(
        recording: StreamStatus.Recording(
          path: path, frames: statistics.writtenFrames, stored: statistics.storedFrames,
          bytes: statistics.byteCount))
      stored(statistics.storedFrames)
    }
    return (outcome, path)
  }

  private func nextPath() -> String {
    count.withLock { count in
      count += 1
      // What an earlier run recorded of its second camera must not keep this one from being recorded.
      while count > 1, existing == .keep, isTaken(path(number: count)) { count += 1 }
      return path(number: count)
    }
  }

  private func path(number: Int) -> String {
    guard number > 1 else { return path }
    let ending = ".mcap"
    guard path.hasSuffix(ending) else { return "\(path)-\(number)" }
    return "\(path.dropLast(ending.count))-\(number)\(ending)"
  }

  private func isTaken(_ path: String) -> Bool {
    [path, path + ".partial"].contains { (name: String) in access(name, F_OK) == 0 }
  }
}
