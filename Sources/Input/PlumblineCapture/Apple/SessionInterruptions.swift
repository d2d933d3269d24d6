#if canImport(AVFoundation) && canImport(ARKit)
  internal import AVFoundation
  internal import Foundation
  internal import PlumblineModel

  /// Observes the notifications of a session until the last reference is released.
  final class SessionInterruptions {
    private let tokens: [any NSObjectProtocol]

    /// Starts observing, and ends the events when no more frames will come.
    init(of session: AVCaptureSession, into buffer: DepthCameraEventBuffer) {
      let center = NotificationCenter.default
      tokens = [
        center.addObserver(
          forName: AVCaptureSession.wasInterruptedNotification, object: session, queue: nil
        ) { notification in
          let number = notification.userInfo?[AVCaptureSessionInterruptionReasonKey] as? NSNumber
          let reason = SessionInterruption(reason: number?.intValue)
          guard reason.endsCapture else { return }
          if reason == .systemPressure { buffer.offer(.thermal(ThermalReading(.shutdown))) }
          buffer.finish(throwing: .interrupted(reason))
        },
        center.addObserver(
          forName: AVCaptureSession.runtimeErrorNotification, object: session, queue: nil
        ) { notification in
          let error = notification.userInfo?[AVCaptureSessionErrorKey] as? any Error
          buffer.finish(throwing: .failed(error?.localizedDescription ?? "no reason is given"))
        },
      ]
    }

    deinit { for token in tokens { NotificationCenter.default.removeObserver(token) } }
  }
#endif
