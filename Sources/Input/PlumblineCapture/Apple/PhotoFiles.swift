#if canImport(AVFoundation) && canImport(ARKit)
  internal import AVFoundation
  internal import Foundation
  internal import Synchronization

  /// Collects the files of one capture, which arrive in separate callbacks.
  ///
  /// The last callback, `didFinishCaptureFor`, always comes. Only that callback resumes the waiting
  /// task, so the task is resumed exactly once.
  final class PhotoFiles: NSObject, AVCapturePhotoCaptureDelegate, Sendable {
    typealias Outcome = Result<[[UInt8]], DepthCameraError>

    private struct State {
      var files: [[UInt8]] = []
      var failure: String?
      var continuation: CheckedContinuation<Outcome, Never>?
    }

    private let count: Int
    private let state = Mutex(State())

    init(count: Int) { self.count = count }

    /// Sets the consumer of the files.
    func deliver(to continuation: CheckedContinuation<Outcome, Never>) {
      state.withLock { $0.continuation = continuation }
    }

    func photoOutput(
      _ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto,
      error: (any Error)?
    ) {
      let file = photo.fileDataRepresentation().map { [UInt8]($0) }
      let failure = error?.localizedDescription
      state.withLock { state in
        if let failure { state.failure = state.failure ?? failure }
        if failure == nil, let file { state.files.append(file) }
      }
    }

    func photoOutput(
      _ output: AVCapturePhotoOutput,
      didFinishCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings, error: (any Error)?
    ) {
      let failure = error?.localizedDescription
      let (continuation, last) = state.withLock { state in
        defer { state.continuation = nil }
        return (state.continuation, state)
      }
      continuation?.resume(returning: outcome(of: last, failure: failure))
    }

    private func outcome(of state: State, failure: String?) -> Outcome {
      if let detail = state.failure ?? failure { return .failure(.failed(detail)) }
      guard state.files.count == count else {
        return .failure(.failed("it delivered \(state.files.count) of \(count) files"))
      }
      return .success(state.files)
    }
  }
#endif
