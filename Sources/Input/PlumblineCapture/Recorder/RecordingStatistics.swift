public import PlumblineModel

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
  /// The number of lost frames by stream and reason; the streams add up to ``drops``.
  public internal(set) var dropsByStream: [FrameStream: [DroppedFrame.Reason: Int]] = [:]
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

  mutating func lose(_ frames: DroppedFrame) {
    drops[frames.reason, default: 0] += frames.count
    dropsByStream[frames.stream, default: [:]][frames.reason, default: 0] += frames.count
  }
}
