import PlumblineModel
package import PlumblineRecordings
package import PlumblineStreams

/// Writes the events of a camera, flushes each second, and counts.
///
/// It is used by one task at a time, and stores only counts.
package struct CaptureRecorder {
  /// The statistics of the recording so far.
  package private(set) var statistics = RecordingStatistics()
  /// The error for the first frame that the format cannot represent; `nil` for none.
  package private(set) var firstRefusal: RecordingWritingError?

  private var writer: any RecordingWriter
  private let byteCount: () -> Int
  private var meter = FrameRateMeter()
  private var lastFlush: (frame: Int, seconds: Double?) = (0, nil)
  private var hasNews = false

  /// The time between two flushes in seconds, on the clock of the frames.
  static let flushSeconds = 1.0
  /// The number of frames between two flushes if frames have no times.
  static let flushFrames = 30

  /// Creates a recorder for a writer.
  ///
  /// - Parameters:
  ///   - writer: A writer without frames.
  ///   - byteCount: Returns the size of the file so far, such as `RecordingFile.byteCount`.
  package init(writer: any RecordingWriter, byteCount: @escaping () -> Int = { 0 }) {
    self.writer = writer
    self.byteCount = byteCount
  }

  /// Records a camera until it ends, a limit is reached, the recording is stopped, or it fails.
  ///
  /// An interruption that takes the camera away ends the recording too, though the camera goes on
  /// afterwards. In all cases the file is finished and stored data stay. A file without frames is not finished:
  /// no program could read it, and an older file may have its name.
  ///
  /// - Parameters:
  ///   - source: The camera.
  ///   - limits: The limits at which the recording ends.
  ///   - stop: Requests the end of the recording.
  ///   - progress: Called after each event.
  /// - Returns: Why the recording ended, and what was written.
  package mutating func record(
    _ source: any DepthCameraSource, limits: RecordingLimits = RecordingLimits(),
    stop: RecordingStop = RecordingStop(), progress: (RecordingStatistics) -> Void = { _ in }
  ) async -> RecordingOutcome {
    var ending = await takeEvents(of: source, limits, stop, progress)
    do throws(RecordingWritingError) {
      if statistics.writtenFrames > 0 { try finish() }
    } catch {
      // The first failure is more informative than its consequences.
      if case .writingFailed = ending {} else { ending = .writingFailed(error) }
    }
    progress(statistics)
    return RecordingOutcome(ending: ending, statistics: statistics, firstRefusal: firstRefusal)
  }

  private mutating func takeEvents(
    of source: any DepthCameraSource, _ limits: RecordingLimits, _ stop: RecordingStop,
    _ progress: (RecordingStatistics) -> Void
  ) async -> RecordingOutcome.Ending {
    let events = source.events()
    stop.onRequest { events.stop() }
    var iterator = events.makeAsyncIterator()
    while !limits.areReached(by: statistics) {
      let event: DepthCameraEvent?
      do throws(DepthCameraError) { event = try await iterator.next() } catch {
        return .cameraFailed(error)
      }
      guard let event else {
        if stop.isRequested { return .stopped }
        if let change = statistics.depthRate, change.isStop { return .tooWarm(change) }
        return .sourceEnded
      }
      do throws(RecordingWritingError) { try take(event) } catch {
        return .writingFailed(error)
      }
      progress(statistics)
      if case .interrupted(let reason) = event, reason.endsCapture {
        return .cameraFailed(.interrupted(reason))
      }
    }
    return .limit
  }

  /// Handles one event.
  ///
  /// A frame whose time goes back is counted as a discontinuity; a frame that the format cannot
  /// represent is counted as refused. Neither ends the recording.
  /// - Throws: `.output` if the file cannot be written any more; ``finish()`` may still save it.
  package mutating func take(_ event: DepthCameraEvent) throws(RecordingWritingError) {
    switch event {
    case .capture(let capture): try write(capture)
    case .motion(let samples):
      try writer.append(motion: samples)
      statistics.motionSamples += samples.count
      hasNews = true
    case .motionLost(let count): statistics.lostMotionSamples += count
    case .dropped(let frames): statistics.lose(frames)
    case .thermal(let reading):
      statistics.thermal = reading.state
      statistics.warmest = max(statistics.warmest, reading.state)
    case .depthRate(let change):
      statistics.depthRate = change
      // No frame may follow for a long time, and only frames make a flush due.
      if change.isStop { try flush() }
    case .configured, .interrupted, .resumed: break
    }
  }

  private mutating func write(_ capture: Capture) throws(RecordingWritingError) {
    let seconds = capture.timestampSeconds
    if let seconds, let last = statistics.lastSeconds, !(seconds >= last) {
      statistics.lose(DroppedFrame(timestampSeconds: seconds, reason: .discontinuity))
      return
    }
    do throws(RecordingWritingError) {
      try writer.append(capture, name: String(statistics.writtenFrames))
    } catch {
      guard case .unrepresentable = error else { throw error }
      statistics.refusedFrames += 1
      firstRefusal = firstRefusal ?? error
      return
    }
    hasNews = true
    statistics.writtenFrames += 1
    if let seconds {
      statistics.firstSeconds = statistics.firstSeconds ?? seconds
      statistics.lastSeconds = seconds
      statistics.framesPerSecond = meter.rate(afterFrameAt: seconds)
    }
    statistics.byteCount = byteCount()
    if isFlushDue { try flush() }
  }

  private var isFlushDue: Bool {
    guard let seconds = statistics.lastSeconds, let first = statistics.firstSeconds else {
      return statistics.writtenFrames - lastFlush.frame >= Self.flushFrames
    }
    return seconds - (lastFlush.seconds ?? first) >= Self.flushSeconds
  }

  /// Synchronizes the file to the disk, if there are new data.
  ///
  /// - Throws: `.output`.
  package mutating func flush() throws(RecordingWritingError) {
    guard hasNews else { return }
    statistics.storedFrames = max(statistics.storedFrames, try writer.flush())
    lastFlush = (statistics.writtenFrames, statistics.lastSeconds)
    statistics.byteCount = byteCount()
    hasNews = false
  }

  /// Finishes the file; after an error of ``take(_:)`` it saves what the writer can.
  ///
  /// - Throws: `.output`; `.unrepresentable` if there are no frames and the format needs some.
  package mutating func finish() throws(RecordingWritingError) {
    try writer.finish()
    statistics.storedFrames = statistics.writtenFrames
    statistics.byteCount = byteCount()
  }
}
