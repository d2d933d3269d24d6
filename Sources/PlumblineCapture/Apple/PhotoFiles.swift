#if canImport(AVFoundation) && canImport(ARKit)
  internal import AVFoundation
  internal import Foundation
  internal import Synchronization

  /// Collects the files of one capture, which come one callback after the other.
  final class PhotoFiles: NSObject, AVCapturePhotoCaptureDelegate {
    typealias Outcome = Result<[[UInt8]], DepthCameraError>

    private struct State {
      var files: [[UInt8]] = []
      var continuation: CheckedContinuation<Outcome, Never>?
    }

    private let count: Int
    private let state = Mutex(State())

    init(count: Int) { self.count = count }

    /// Says who waits for the files.
    func deliver(to continuation: CheckedContinuation<Outcome, Never>) {
      state.withLock { $0.continuation = continuation }
    }

    func photoOutput(
      _ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto,
      error: (any Error)?
    ) {
      let file = photo.fileDataRepresentation().map { [UInt8]($0) }
      let (continuation, outcome) = state.withLock {
        state -> (CheckedContinuation<Outcome, Never>?, Outcome) in
        guard error == nil, let file else {
          defer { state.continuation = nil }
          let detail = error?.localizedDescription ?? "the photo has no file"
          return (state.continuation, .failure(.failed(detail)))
        }
        state.files.append(file)
        guard state.files.count == count else { return (nil, .success([])) }
        defer { state.continuation = nil }
        return (state.continuation, .success(state.files))
      }
      continuation?.resume(returning: outcome)
    }
  }
#endif
