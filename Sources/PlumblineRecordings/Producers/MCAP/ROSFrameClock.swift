package import PlumblineStreams

/// Gives the frames of one source their moments: stamps, and times that never stand still.
public struct ROSFrameClock: Hashable, Sendable {
  /// The moment when a frame was taken.
  public struct Moment: Hashable, Sendable {
    /// Nanoseconds of the device's clock, greater than those of all frames before, so that they name
    /// one frame.
    public let logTime: UInt64
    /// The stamp in the messages' headers.
    package let stamp: ROSTime
  }

  private var lastLogTime: UInt64?

  /// A clock before the first frame.
  public init() {}

  /// The moment of the next frame: its own time in whole nanoseconds, or one nanosecond after the frame
  /// before where it has none that ROS can hold.
  public mutating func next(timestampSeconds: Double?) -> Moment {
    let stamp = timestampSeconds.flatMap { ROSTime($0) }
    let nanoseconds = stamp.map { UInt64(clamping: $0.nanosecondCount) } ?? 0
    let logTime = max(nanoseconds, lastLogTime.map { $0 &+ 1 } ?? 0)
    lastLogTime = logTime
    return Moment(
      logTime: logTime,
      stamp: stamp ?? ROSTime(nanosecondCount: min(logTime, UInt64(Int32.max) * 1_000_000_000)))
  }
}
