public import PlumblineCapture
import PlumblineModel

/// A recording as a screen shows it: the button, the numbers, and the result.
public struct RecordingState: Hashable, Sendable {
  /// The phases of a recording.
  public enum Phase: Hashable, Sendable {
    /// Nothing is recorded.
    case idle
    /// A file is being written.
    case recording
    /// The end was requested, and the file is being finished.
    case finishing
  }

  /// The phase.
  public private(set) var phase = Phase.idle
  /// The name of the file; `nil` while nothing is recorded.
  public private(set) var name: String?
  /// The numbers so far.
  public private(set) var statistics = RecordingStatistics()
  /// The result of the last recording in words; `nil` before one, and while the next one runs.
  public private(set) var result: String?

  /// Starts without a recording.
  public init() {}

  /// Whether a file is open.
  public var isOpen: Bool { phase != .idle }

  /// A recording begins.
  ///
  /// - Returns: Whether it may; one at a time.
  public mutating func begin(name: String) -> Bool {
    guard phase == .idle else { return false }
    self = RecordingState()
    phase = .recording
    self.name = name
    return true
  }

  /// The recorder reports its numbers; those that come after the end change nothing.
  public mutating func take(_ statistics: RecordingStatistics) {
    if isOpen { self.statistics = statistics }
  }

  /// A person requests the end.
  ///
  /// - Returns: Whether the recorder is to be told; once.
  public mutating func requestEnd() -> Bool {
    guard phase == .recording else { return false }
    phase = .finishing
    return true
  }

  /// The file is finished, also where no person requested it.
  ///
  /// - Parameter result: The result in words.
  public mutating func finish(_ result: String) {
    (phase, name) = (.idle, nil)
    self.result = result
  }

  /// Bytes a second so far; `nil` in the first second.
  public var bytesPerSecond: Double? {
    isOpen && statistics.seconds >= 1 ? Double(statistics.byteCount) / statistics.seconds : nil
  }

  /// What the button says.
  public var buttonTitle: String {
    switch phase {
    case .idle: "Record"
    case .recording: "Stop"
    case .finishing: "Finishing"
    }
  }

  /// Frames, time and losses so far; the last result in between; `nil` before the first recording.
  public var text: String? {
    guard isOpen else { return result }
    guard statistics.writtenFrames > 0 else { return "waiting for the first frame" }
    let losses = CaptureStatus.lossText(
      statistics.drops, motionSamples: statistics.lostMotionSamples)
    return "\(statistics.writtenFrames.counting("frame")), \(Int(statistics.seconds)) s, \(losses)"
  }
}
