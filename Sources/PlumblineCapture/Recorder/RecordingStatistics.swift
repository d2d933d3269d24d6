public import PlumblineModel

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
