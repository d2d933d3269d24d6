public import PlumblineModel
package import PlumblineRecordings
package import PlumblineStreams

/// Writes what a camera delivers, flushes each second, and counts.
///
/// Used by one task at a time. Nothing is kept but counts.
package struct CaptureRecorder {
  /// The statistics of the recording so far.
  package private(set) var statistics = RecordingStatistics()
  /// Why the first frame that the format cannot hold was refused; `nil` for none.
  package private(set) var firstRefusal: RecordingWritingError?

  private var writer: any RecordingWriter
  private let byteCount: () -> Int
  private var meter = FrameRateMeter()
  private var lastFlush: (frame: Int, seconds: Double?) = (0, nil)
  private var hasNews = false

  /// The time between two flushes, on the clock of the frames, in seconds.
  static let flushSeconds = 1.0
  /// The frames between two flushes where frames have no times.
  static let flushFrames = 30

  /// Records into a writer.
  ///
  /// - Parameters:
  ///   - writer: The writer, at its beginning.
  ///   - byteCount: The bytes of the file so far, such as `RecordingFile.byteCount`.
  package init(writer: any RecordingWriter, byteCount: @escaping () -> Int = { 0 }) {
    self.writer = writer
    self.byteCount = byteCount
  }

  /// Records a camera until it ends, a limit is reached, it is stopped, or it fails.
  ///
  /// Whatever happens, the file is finished and what was stored stays. One without a frame is not
  /// finished: nothing could read it, and an older file may have its name.
  ///
  /// - Parameters:
  ///   - source: The camera.
  ///   - limits: When the recording ends by itself.
  ///   - stop: Ends the recording from elsewhere.
  ///   - progress: Called after each event.
  /// - Returns: How the recording ended, and what was written.
  package mutating func record(
    _ source: any DepthCameraSource, limits: RecordingLimits = RecordingLimits(),
    stop: RecordingStop = RecordingStop(), progress: (RecordingStatistics) -> Void = { _ in }
  ) async -> RecordingOutcome {
    var ending = await takeEvents(of: source, limits, stop, progress)
    do throws(RecordingWritingError) {
      if statistics.writtenFrames > 0 { try finish() }
    } catch {
      // The first failure says more than what follows from it.
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

  /// Takes one event.
  ///
  /// A frame whose clock went back is counted as a discontinuity; one that the format cannot hold as
  /// refused. Neither ends the recording.
  /// - Throws: `.output` when the file cannot be written any more; ``finish()`` may still save it.
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

  /// Brings everything to the disk, if anything is new.
  ///
  /// - Throws: `.output`.
  package mutating func flush() throws(RecordingWritingError) {
    guard hasNews else { return }
    statistics.storedFrames = max(statistics.storedFrames, try writer.flush())
    lastFlush = (statistics.writtenFrames, statistics.lastSeconds)
    statistics.byteCount = byteCount()
    hasNews = false
  }

  /// Ends the file; after an error of ``take(_:)`` it saves what the writer can.
  ///
  /// - Throws: `.output`; `.unrepresentable` where the format cannot be empty and is.
  package mutating func finish() throws(RecordingWritingError) {
    try writer.finish()
    statistics.storedFrames = statistics.writtenFrames
    statistics.byteCount = byteCount()
  }
}

/// What a recording holds so far, for a status line and for its end.
public struct RecordingStatistics: Hashable, Sendable {
  /// The frames that were handed to the writer.
  public internal(set) var writtenFrames = 0
  /// The frames that survive whatever happens now: those before the last flush.
  public internal(set) var storedFrames = 0
  /// The frames that the format cannot hold.
  public internal(set) var refusedFrames = 0
  /// Frames that were lost, by reason.
  public internal(set) var drops: [DroppedFrame.Reason: Int] = [:]
  /// Motion samples written.
  public internal(set) var motionSamples = 0
  /// Motion samples lost.
  public internal(set) var lostMotionSamples = 0
  /// Bytes of the file; 0 where the writer does not count.
  public internal(set) var byteCount = 0
  /// The time of the first frame, in seconds; `nil` before it or without times.
  public internal(set) var firstSeconds: Double?
  /// The time of the last frame, in seconds.
  public internal(set) var lastSeconds: Double?
  /// The thermal state.
  public internal(set) var thermal = ThermalState.nominal
  /// The warmest state so far.
  public internal(set) var warmest = ThermalState.nominal
  /// The last change of the rate of depth because of warmth; `nil` for none.
  public internal(set) var depthRate: DepthRateChange?
  /// Frames per second over the last second of frames; `nil` before two frames with times.
  public internal(set) var framesPerSecond: Double?

  /// Starts with nothing.
  public init() {}

  /// Frames that were lost for any reason.
  public var droppedFrames: Int { drops.values.reduce(0, +) }

  /// The time from the first to the last frame, in seconds; 0 without times.
  public var seconds: Double {
    guard let firstSeconds, let lastSeconds else { return 0 }
    return max(lastSeconds - firstSeconds, 0)
  }

  /// Frames per second over the whole; `nil` before two frames with times.
  public var meanFramesPerSecond: Double? {
    writtenFrames > 1 && seconds > 0 ? Double(writtenFrames - 1) / seconds : nil
  }
}

/// Counts frames over the last second of their own clock.
struct FrameRateMeter: Sendable {
  private var times: [Double] = []

  /// Takes a frame's time and says the rate; `nil` for a single frame, or where the clock jumped.
  mutating func rate(afterFrameAt seconds: Double) -> Double? {
    // A clock that goes backwards starts a new count.
    if let last = times.last, !(seconds > last) { times.removeAll(keepingCapacity: true) }
    times.append(seconds)
    // A thousandth of rounding keeps the frame that lies a second back.
    times.removeFirst(times.firstIndex { $0 >= seconds - 1.001 } ?? 0)
    // No camera has more than a thousand frames a second; a broken clock may.
    if times.count > 1001 { times.removeFirst(times.count - 1001) }
    guard let first = times.first, seconds > first else { return nil }
    return Double(times.count - 1) / (seconds - first)
  }
}
