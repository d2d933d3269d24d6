import Dispatch
public import PlumblineCapture
import PlumblineExport
public import PlumblineIO
public import PlumblineRecordings
public import PlumblineStreams
import Synchronization

/// Records a camera into an MCAP file and waits for the end.
public struct RecordRun: Sendable {
  private let source: any DepthCameraSource
  private let header: RecordingHeader
  private let options: MCAPRecordingOptions
  private let session: RecordingSession

  /// Prepares a recording.
  ///
  /// - Parameters:
  ///   - source: The camera.
  ///   - header: What is known before the first frame.
  ///   - options: How color and chunks are stored.
  ///   - session: When it ends by itself.
  public init(
    _ source: any DepthCameraSource, header: RecordingHeader,
    options: MCAPRecordingOptions = MCAPRecordingOptions(),
    session: RecordingSession = RecordingSession()
  ) {
    self.source = source
    self.header = header
    self.options = options
    self.session = session
  }

  /// Records; returns when the file is finished and has its name.
  ///
  /// - Parameters:
  ///   - path: The file; `PATH.partial` until it is finished.
  ///   - existing: What happens to a file of that name.
  ///   - stop: Ends the recording from elsewhere, such as a button.
  ///   - progress: Called after each event.
  /// - Returns: How the recording ended, and what was written.
  /// - Throws: `.output` when the file cannot be begun; later failures are the outcome's ending.
  public func record(
    into path: String, existing: OutputTransaction.ExistingFiles = .keep,
    stop: RecordingStop = RecordingStop(),
    progress: @Sendable (RecordingStatistics) -> Void = { _ in }
  ) async throws(RecordingWritingError) -> RecordingSession.Outcome {
    let file = try DiskRecordingFile(path: path, existing: existing)
    return try await record(into: file, stop: stop, progress: progress)
  }

  /// Records into a file that is there already, which disappears where no frame can be read from it.
  func record(
    into file: DiskRecordingFile, stop: RecordingStop = RecordingStop(),
    progress: @Sendable (RecordingStatistics) -> Void = { _ in }
  ) async throws(RecordingWritingError) -> RecordingSession.Outcome {
    let writer: MCAPRecordingWriter
    do throws(RecordingWritingError) {
      writer = try MCAPRecordingWriter(file: file, header: header, options: options)
    } catch {
      file.remove()
      throw error
    }
    var recorder = CaptureRecorder(writer: writer) { file.byteCount }
    let outcome = await session.run(source, into: &recorder, stop: stop, progress: progress)
    let isEmpty =
      switch outcome.ending {
      case .writingFailed:
        outcome.statistics.storedFrames == 0 && !Self.hasFrame(file.partialPath)
      default: outcome.statistics.writtenFrames == 0
      }
    if isEmpty { file.remove() }
    return outcome
  }

  /// Whether a recording that was cut holds a frame: more may lie in the file than was synchronized.
  private static func hasFrame(_ path: String) -> Bool {
    let recording = try? Recording(source: FileSource(path: path))
    return recording?.frames.isEmpty == false
  }

  /// Records as ``record(into:existing:stop:progress:)`` does.
  ///
  /// The calling thread waits; camera and writer run in tasks of their own. Not for the main thread
  /// of an app.
  ///
  /// - Parameters:
  ///   - path: The file; `PATH.partial` until it is finished.
  ///   - existing: What happens to a file of that name.
  ///   - stop: Ends the recording from elsewhere, such as a signal.
  ///   - progress: Called after each event.
  /// - Returns: How the recording ended, and what was written.
  /// - Throws: `.output` when the file cannot be begun; later failures are the outcome's ending.
  public func run(
    into path: String, existing: OutputTransaction.ExistingFiles = .keep,
    stop: RecordingStop = RecordingStop(),
    progress: @escaping @Sendable (RecordingStatistics) -> Void = { _ in }
  ) throws(RecordingWritingError) -> RecordingSession.Outcome {
    let result = Mutex<Result<RecordingSession.Outcome, RecordingWritingError>?>(nil)
    let end = DispatchSemaphore(value: 0)
    Task {
      let outcome: Result<RecordingSession.Outcome, RecordingWritingError>
      do throws(RecordingWritingError) {
        outcome = .success(
          try await record(into: path, existing: existing, stop: stop, progress: progress))
      } catch { outcome = .failure(error) }
      result.withLock { $0 = outcome }
      end.signal()
    }
    end.wait()
    guard let outcome = result.withLock({ $0 }) else {
      preconditionFailure("a recording ended without an outcome")
    }
    return try outcome.get()
  }
}
