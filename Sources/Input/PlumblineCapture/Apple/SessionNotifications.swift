#if os(iOS)
  internal import AVFoundation
  internal import Foundation
  internal import PlumblineModel
  internal import Synchronization

  /// Carries out what ``InterruptionTracker`` decides about a session.
  final class SessionTracking: Sendable {
    private let tracker = Mutex(InterruptionTracker())
    private let buffer: DepthCameraEventBuffer
    private let restart: @Sendable () -> Void

    /// Tracks a session that runs.
    ///
    /// - Parameters:
    ///   - buffer: Receives the events.
    ///   - restart: Starts the session again.
    init(into buffer: DepthCameraEventBuffer, restart: @escaping @Sendable () -> Void) {
      self.buffer = buffer
      self.restart = restart
    }

    /// Takes an observation, from any thread.
    func take(_ observation: InterruptionTracker.Observation) {
      for action in tracker.withLock({ $0.take(observation) }) {
        switch action {
        case .reportInterruption(let reason): buffer.offer(.interrupted(reason))
        case .reportShutdown: buffer.offer(.thermal(ThermalReading(.shutdown)))
        case .reportResumption: buffer.offer(.resumed)
        case .restart: restart()
        case .fail(let text): buffer.finish(throwing: .failed(text))
        }
      }
    }
  }

  /// Observes the notifications of a session until the last reference is released.
  final class SessionNotifications {
    private let tokens: [any NSObjectProtocol]

    /// Starts observing.
    init(of session: AVCaptureSession, to tracking: SessionTracking) {
      let center = NotificationCenter.default
      tokens = [
        center.addObserver(
          forName: AVCaptureSession.wasInterruptedNotification, object: session, queue: nil
        ) { notification in
          let number = notification.userInfo?[AVCaptureSessionInterruptionReasonKey] as? NSNumber
          tracking.take(.interrupted(reason: number?.intValue))
        },
        center.addObserver(
          forName: AVCaptureSession.interruptionEndedNotification, object: session, queue: nil
        ) { _ in tracking.take(.interruptionEnded) },
        center.addObserver(
          forName: AVCaptureSession.runtimeErrorNotification, object: session, queue: nil
        ) { notification in
          let error = notification.userInfo?[AVCaptureSessionErrorKey] as? any Error
          // Every Swift error is an `NSError`, and AVFoundation's are nothing else.
          let code = error.map { ($0 as NSError).code }
          tracking.take(
            .runtimeError(
              code: code, text: error?.localizedDescription ?? "no reason is given"))
        },
      ]
    }

    deinit { for token in tokens { NotificationCenter.default.removeObserver(token) } }
  }
#endif
