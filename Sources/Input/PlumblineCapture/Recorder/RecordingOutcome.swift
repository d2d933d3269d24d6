import PlumblineModel
public import PlumblineStreams
import Synchronization

/// The limits at which a recording ends by itself.
public struct RecordingLimits: Sendable {
  /// The maximum number of frames to write; `nil` for no limit.
  public var frames: Int?
  /// The maximum time from the first frame in seconds, on the frames' clock; `nil` for no limit.
  public var seconds: Double?

  /// Creates limits.
  public init(frames: Int? = nil, seconds: Double? = nil) {
    self.frames = frames
    self.seconds = seconds
  }

  /// Whether a recording has reached one of the limits.
  func areReached(by statistics: RecordingStatistics) -> Bool {
    if let frames, statistics.writtenFrames >= frames { return true }
    if let seconds, statistics.seconds >= seconds { return true }
    return false
  }
}

/// The result of a recording: why it ended, and what was written.
public struct RecordingOutcome: Sendable {
  /// Why a recording ended.
  public enum Ending: Sendable {
    /// The source has ended.
    case sourceEnded
    /// The requested number of frames or seconds was reached.
    case limit
    /// The end was requested.
    case stopped
    /// The device became too warm.
    case tooWarm(DepthRateChange)
    /// The camera failed; the recording contains the frames before that.
    case cameraFailed(DepthCameraError)
    /// The file could not be written; it contains the stored frames.
    case writingFailed(RecordingWritingError)
  }

  /// Why the recording ended.
  public let ending: Ending
  /// The numbers of stored and lost frames and their times.
  public let statistics: RecordingStatistics
  /// The error for the first refused frame; `nil` for none.
  public let firstRefusal: RecordingWritingError?
}

extension RecordingOutcome {
  /// A summary for the user at the end of a recording.
  ///
  /// - Parameter name: The name of the recording.
  /// - Returns: Frames, losses and, for an irregular end, the reason.
  public func summary(of name: String) -> String {
    let losses = CaptureStatus.lossText(
      statistics.drops, motionSamples: statistics.lostMotionSamples)
    var text = "\(name): \(statistics.storedFrames.counting("frame")), \(losses)"
    if statistics.refusedFrames > 0 { text += ", \(statistics.refusedFrames) refused" }
    switch ending {
    case .sourceEnded, .limit, .stopped: return text
    case .tooWarm(let change): return text + "; " + change.description
    case .cameraFailed(let error): return text + "; " + error.description
    case .writingFailed(let error): return text + "; " + error.description
    }
  }
}

/// A way to request the end of a recording, such as from a button or a signal; the recording is
/// finished properly.
public final class RecordingStop: Sendable {
  private let state = Mutex<(isRequested: Bool, action: (@Sendable () -> Void)?)>((false, nil))

  /// Creates a stop that is not yet requested.
  public init() {}

  /// Whether an end was requested.
  public var isRequested: Bool { state.withLock { $0.isRequested } }

  /// Requests the end; O(1); a second call has no effect.
  public func request() {
    let action = state.withLock { state in
      state.isRequested = true
      defer { state.action = nil }
      return state.action
    }
    action?()
  }

  /// Calls the action once on the request, or at once if the request was already made.
  package func onRequest(_ action: @escaping @Sendable () -> Void) {
    let isRequested = state.withLock { state in
      if !state.isRequested { state.action = action }
      return state.isRequested
    }
    if isRequested { action() }
  }
}
