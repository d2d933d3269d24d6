public import PlumblineCapture

/// Whether a camera runs, and if not, why and what ends that: the state that each screen with a camera
/// has.
public struct CameraRun: Sendable {
  /// What the camera does.
  public enum Phase: Hashable, Sendable {
    /// No screen wants it.
    case off
    /// It was asked to start and has delivered nothing yet.
    case starting
    /// It delivers frames.
    case running
    /// The system took it away for now; it goes on by itself.
    case interrupted(SessionInterruption)
    /// It ended because the system took it away.
    case takenAway(SessionInterruption)
    /// It was stopped, because the device is too warm.
    case tooWarm(DepthRateChange)
    /// It ended with an error.
    case failed(DepthCameraError)
    /// It ended by itself, as a replay does.
    case ended
  }

  /// The phase.
  public private(set) var phase = Phase.off
  /// Rates, losses and warmth since the camera started.
  public private(set) var status = CaptureStatus()
  /// The number of starts that a person or a return to the app requested.
  ///
  /// A view that watches it starts its task anew.
  public private(set) var attempt = 0

  /// Starts with a camera that no screen wants.
  public init() {}

  /// The camera was asked to start.
  public mutating func start() {
    phase = .starting
    status = CaptureStatus()
  }

  /// An event of the camera arrived.
  public mutating func take(_ event: DepthCameraEvent) {
    status.take(event)
    switch event {
    case .capture:
      // A frame that was queued before warmth stopped the camera does not start it again.
      if case .tooWarm = phase { break }
      phase = .running
    case .interrupted(let reason): phase = .interrupted(reason)
    case .resumed: phase = .starting
    case .depthRate(let change):
      // A camera that is stopped by warmth may end next: why must not be lost by then.
      if change.isStop {
        phase = .tooWarm(change)
      } else if case .tooWarm = phase {
        phase = .starting
      }
    default: break
    }
  }

  /// The camera ended.
  ///
  /// - Parameter error: Why; `nil` where it ended by itself or because no screen wants it any more.
  public mutating func end(_ error: DepthCameraError? = nil) {
    if case .tooWarm = phase { return }
    switch error {
    case .interrupted(let reason)?: phase = .takenAway(reason)
    case let error?: phase = .failed(error)
    case nil: phase = .ended
    }
  }

  /// The screen of the camera was left.
  public mutating func stop() { phase = .off }

  /// A person requests another start.
  public mutating func retry() {
    guard canRetry else { return }
    attempt += 1
  }

  /// The app is in front again: a camera that ended because it was taken away is started once more; one
  /// that is only interrupted goes on by itself.
  public mutating func becomeActive() {
    guard case .takenAway = phase else { return }
    attempt += 1
  }

  /// Whether a button for another start is of use.
  public var canRetry: Bool {
    switch phase {
    case .takenAway, .tooWarm, .failed, .ended: true
    case .off, .starting, .running, .interrupted: false
    }
  }

  /// What a person has to know of the phase; `nil` while all is well.
  public var message: String? {
    switch phase {
    case .off, .running: warmthMessage
    case .starting: nil
    case .interrupted(let reason): "Paused: \(reason). \(reason.advice)"
    case .takenAway(let reason): "Ended: \(reason). Start again when that is over."
    case .tooWarm(let change):
      "Stopped: \(change). It goes on when the device has cooled down, or start it again then."
    case .failed(.notAuthorized):
      "The camera may not be used. Allow it in Settings, under Privacy, Camera."
    case .failed(let error): "Stopped: \(error)."
    case .ended: "The camera has ended."
    }
  }

  /// What a running camera says of its warmth; `nil` for nothing.
  private var warmthMessage: String? {
    guard case .running = phase else { return nil }
    return WarmthNotice(status)?.text
  }
}
