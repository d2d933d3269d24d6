public import PlumblineModel
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
  /// In all cases the file is finished and stored data stay. A file without frames is not finished:
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
    case .dropped(let frames): statistics.drops[frames.reason, default: 0] += frames.count
    case .thermal(let reading):
      statistics.thermal = reading.state
      statistics.warmest = max(statistics.warmest, reading.state)
    case .depthRate(let change): statistics.depthRate = change
    }
  }

  private mutating func write(_ capture: Capture) throws(RecordingWritingError) {
    let seconds = capture.timestampSeconds
    if let seconds, let last = statistics.lastSeconds, !(seconds >= last) {
      statistics.drops[.discontinuity, default: 0] += 1
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

/// The contents of a recording so far, for a status line and for its end.
public struct RecordingStatistics: Hashable, Sendable {
  /// The number of frames passed to the writer.
  public internal(set) var writtenFrames = 0
  /// The number of frames that would survive a crash or a power failure: those before the last
  /// flush.
  public internal(set) var storedFrames = 0
  /// The number of frames that the format cannot represent.
  public internal(set) var refusedFrames = 0
  /// The number of lost frames by reason.
  public internal(set) var drops: [DroppedFrame.Reason: Int] = [:]
  /// The number of motion samples written.
  public internal(set) var motionSamples = 0
  /// The number of motion samples lost.
  public internal(set) var lostMotionSamples = 0
  /// The size of the file in bytes; 0 if the writer does not count.
  public internal(set) var byteCount = 0
  /// The time of the first frame in seconds; `nil` before it or without times.
  public internal(set) var firstSeconds: Double?
  /// The time of the last frame, in seconds.
  public internal(set) var lastSeconds: Double?
  /// The thermal state.
  public internal(set) var thermal = ThermalState.nominal
  /// The warmest thermal state so far.
  public internal(set) var warmest = ThermalState.nominal
  /// The last change of the depth rate because of the thermal state; `nil` for none.
  public internal(set) var depthRate: DepthRateChange?
  /// The frame rate over the last second of frames; `nil` before two frames with times.
  public internal(set) var framesPerSecond: Double?

  /// Creates statistics without frames.
  public init() {}

  /// The number of frames lost for any reason.
  public var droppedFrames: Int { drops.values.reduce(0, +) }

  /// The time from the first to the last frame, in seconds; 0 without times.
  public var seconds: Double {
    guard let firstSeconds, let lastSeconds else { return 0 }
    return max(lastSeconds - firstSeconds, 0)
  }

  /// The mean frame rate of the recording; `nil` before two frames with times.
  public var meanFramesPerSecond: Double? {
    writtenFrames > 1 && seconds > 0 ? Double(writtenFrames - 1) / seconds : nil
  }
}

/// Measures the frame rate over the last second of the frames' own clock.
struct FrameRateMeter: Sendable {
  private var times: [Double] = []

  /// Adds a frame's time and returns the rate; `nil` for a single frame, or if the clock jumped.
  mutating func rate(afterFrameAt seconds: Double) -> Double? {
    // A clock that goes backwards starts a new count.
    if let last = times.last, !(seconds > last) { times.removeAll(keepingCapacity: true) }
    times.append(seconds)
    // A tolerance of 0.001 keeps a frame that is exactly one second old.
    times.removeFirst(times.firstIndex { $0 >= seconds - 1.001 } ?? 0)
    // No camera has more than a thousand frames per second, but a faulty clock may.
    if times.count > 1001 { times.removeFirst(times.count - 1001) }
    guard let first = times.first, seconds > first else { return nil }
    return Double(times.count - 1) / (seconds - first)
  }
}
