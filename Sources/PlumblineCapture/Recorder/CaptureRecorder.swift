internal import PlumblineModel
public import PlumblineRecordings
public import PlumblineStreams

/// Writes what a camera delivers, flushes each second, and counts.
///
/// Used by one task at a time. Nothing is kept but counts.
public struct CaptureRecorder {
  /// The statistics of the recording so far.
  public private(set) var statistics = RecordingStatistics()
  /// Why the first frame that the format cannot hold was refused; `nil` for none.
  public private(set) var firstRefusal: RecordingWritingError?

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
  public init(writer: any RecordingWriter, byteCount: @escaping () -> Int = { 0 }) {
    self.writer = writer
    self.byteCount = byteCount
  }

  /// Takes one event.
  ///
  /// A frame whose clock went back is counted as a discontinuity; one that the format cannot hold as
  /// refused. Neither ends the recording.
  /// - Throws: `.output` when the file cannot be written any more; ``finish()`` may still save it.
  public mutating func take(_ event: DepthCameraEvent) throws(RecordingWritingError) {
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
  public mutating func flush() throws(RecordingWritingError) {
    guard hasNews else { return }
    statistics.storedFrames = max(statistics.storedFrames, try writer.flush())
    lastFlush = (statistics.writtenFrames, statistics.lastSeconds)
    statistics.byteCount = byteCount()
    hasNews = false
  }

  /// Ends the file; after an error of ``take(_:)`` it saves what the writer can.
  ///
  /// - Throws: `.output`; `.unrepresentable` where the format cannot be empty and is.
  public mutating func finish() throws(RecordingWritingError) {
    try writer.finish()
    statistics.storedFrames = statistics.writtenFrames
    statistics.byteCount = byteCount()
  }
}
