import Dispatch
public import PlumblineCapture
import PlumblineExport
public import PlumblineIO
import PlumblineModel
public import PlumblineRecordings
public import PlumblineStreams
import Synchronization

/// Records a camera into an MCAP file.
public struct MCAPFileRecorder: Sendable {
  private let source: any DepthCameraSource
  private let header: RecordingHeader
  private let options: MCAPRecordingOptions
  private let limits: RecordingLimits

  /// Prepares a recording.
  ///
  /// - Parameters:
  ///   - source: The camera.
  ///   - header: What is known before the first frame.
  ///   - options: How color and chunks are stored.
  ///   - limits: When the recording ends by itself.
  public init(
    _ source: any DepthCameraSource, header: RecordingHeader,
    options: MCAPRecordingOptions = MCAPRecordingOptions(),
    limits: RecordingLimits = RecordingLimits()
  ) {
    self.source = source
    self.header = header
    self.options = options
    self.limits = limits
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
  ) async throws(RecordingWritingError) -> RecordingOutcome {
    let file = try DiskRecordingFile(path: path, existing: existing)
    return try await record(into: file, stop: stop, progress: progress)
  }

  /// Records into a file that is there already, which disappears where no frame can be read from it.
  func record(
    into file: DiskRecordingFile, stop: RecordingStop = RecordingStop(),
    progress: @Sendable (RecordingStatistics) -> Void = { _ in }
  ) async throws(RecordingWritingError) -> RecordingOutcome {
    let writer: MCAPRecordingWriter
    do throws(RecordingWritingError) {
      writer = try MCAPRecordingWriter(file: file, header: header, options: options)
    } catch {
      file.remove()
      throw error
    }
    var recorder = CaptureRecorder(writer: writer) { file.byteCount }
    let outcome = await recorder.record(source, limits: limits, stop: stop, progress: progress)
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
  public func recordAndWait(
    into path: String, existing: OutputTransaction.ExistingFiles = .keep,
    stop: RecordingStop = RecordingStop(),
    progress: @escaping @Sendable (RecordingStatistics) -> Void = { _ in }
  ) throws(RecordingWritingError) -> RecordingOutcome {
    let result = Mutex<Result<RecordingOutcome, RecordingWritingError>?>(nil)
    let end = DispatchSemaphore(value: 0)
    Task {
      let outcome: Result<RecordingOutcome, RecordingWritingError>
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

extension RecordingOutcome {
  /// The document `plumbline.record/1`.
  ///
  /// - Parameters:
  ///   - source: What was recorded, as on the command line.
  ///   - output: The path of the recording.
  /// - Returns: The document; unknown numbers are `null`.
  public func document(source: String, output: String) -> JSONValue {
    let drops = statistics.drops.sorted { $0.key.rawValue < $1.key.rawValue }
    return [
      "schema": "plumbline.record/1", "source": .string(source),
      "output": statistics.writtenFrames > 0 ? .string(output) : .null,
      "ending": .string(ending.name), "message": .string(ending.message),
      "frames": .integer(statistics.writtenFrames),
      "storedFrames": .integer(statistics.storedFrames),
      "seconds": .number(statistics.seconds),
      "framesPerSecond": .number(statistics.meanFramesPerSecond),
      "droppedFrames": .integer(statistics.droppedFrames),
      "drops": .object(drops.map { ($0.key.rawValue, .integer($0.value)) }),
      "refusedFrames": .integer(statistics.refusedFrames),
      "firstRefusal": .string(firstRefusal?.description),
      "motionSamples": .integer(statistics.motionSamples),
      "lostMotionSamples": .integer(statistics.lostMotionSamples),
      "bytes": .integer(statistics.byteCount),
      "thermal": .string(statistics.thermal.rawValue),
      "warmest": .string(statistics.warmest.rawValue),
      "depthRate": .string(statistics.depthRate?.description),
    ]
  }
}

extension RecordingOutcome.Ending {
  /// A stable name for documents.
  public var name: String {
    switch self {
    case .sourceEnded: "sourceEnded"
    case .limit: "limit"
    case .stopped: "stopped"
    case .tooWarm: "tooWarm"
    case .cameraFailed: "cameraFailed"
    case .writingFailed: "writingFailed"
    }
  }

  /// What a person should read of it; `nil` where the name says all.
  public var message: String? {
    switch self {
    case .sourceEnded, .limit, .stopped: nil
    case .tooWarm(let change): change.description
    case .cameraFailed(let error): error.description
    case .writingFailed(let error): error.description
    }
  }
}
