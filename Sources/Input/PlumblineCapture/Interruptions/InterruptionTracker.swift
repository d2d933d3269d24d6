/// Decides what an adapter does when its session is interrupted, resumes or fails.
///
/// The session is kept: it restarts by itself after an interruption, unless it was stopped.
/// - Source: Apple, `AVCaptureSession.h`, *interruptionEndedNotification*; sample code *AVCam*: a
///   session is started again after the media services were reset.
package struct InterruptionTracker: Sendable {
  /// What an adapter observes.
  package enum Observation: Hashable, Sendable {
    /// `wasInterruptedNotification`, with the raw value of its reason.
    case interrupted(reason: Int?)
    /// `interruptionEndedNotification`.
    case interruptionEnded
    /// `runtimeErrorNotification`, with the error's code and text.
    case runtimeError(code: Int?, text: String)
    /// A frame arrived.
    case frame
    /// The consumer stopped the camera.
    case stopped
  }

  /// What an adapter does, in this order.
  package enum Action: Hashable, Sendable {
    /// Sends ``DepthCameraEvent/interrupted(_:)``.
    case reportInterruption(SessionInterruption)
    /// Sends the thermal state ``ThermalState/shutdown``.
    case reportShutdown
    /// Sends ``DepthCameraEvent/resumed``.
    case reportResumption
    /// Calls `startRunning()` again.
    case restart
    /// Ends the events with ``DepthCameraError/failed(_:)``.
    case fail(String)
  }

  /// `AVError.mediaServicesWereReset`.
  ///
  /// - Source: Apple, `AVError.h`.
  package static let mediaServicesWereReset = -11_819
  /// The maximum number of restarts without a frame between them, chosen by this project.
  package static let maximumRestarts = 3

  /// The interruption that holds now; `nil` while frames flow.
  package private(set) var interruption: SessionInterruption?
  private var restarts = 0
  private var isEnded = false

  /// Creates a tracker of a session that runs.
  package init() {}

  /// Takes an observation and returns what to do; nothing after the session was stopped or failed.
  package mutating func take(_ observation: Observation) -> [Action] {
    guard !isEnded else { return [] }
    switch observation {
    case .interrupted(let number): return interrupt(SessionInterruption(reason: number))
    case .interruptionEnded: return resume()
    case .frame:
      restarts = 0
      // The system need not announce the end of an interruption before its first frame.
      return resume()
    case .runtimeError(let code, let text): return fail(code, text)
    case .stopped:
      isEnded = true
      return []
    }
  }

  private mutating func interrupt(_ reason: SessionInterruption) -> [Action] {
    guard reason.endsCapture, reason != interruption else { return [] }
    interruption = reason
    let report = Action.reportInterruption(reason)
    return reason == .systemPressure ? [.reportShutdown, report] : [report]
  }

  private mutating func resume() -> [Action] {
    guard interruption != nil else { return [] }
    interruption = nil
    return [.reportResumption]
  }

  private mutating func fail(_ code: Int?, _ text: String) -> [Action] {
    if code == Self.mediaServicesWereReset, restarts < Self.maximumRestarts {
      restarts += 1
      return [.restart]
    }
    isEnded = true
    return [.fail(text)]
  }
}
