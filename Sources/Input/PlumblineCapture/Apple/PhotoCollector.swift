#if os(iOS)
  internal import AVFoundation
  internal import CoreMedia
  internal import Foundation
  internal import PlumblineImages
  internal import PlumblineModel
  internal import Synchronization

  /// Passes the calls of one capture to ``PhotoDelivery``, and resumes the waiting task once.
  final class PhotoCollector: NSObject, AVCapturePhotoCaptureDelegate, Sendable {
    typealias Outcome = Result<PhotoShot, DepthCameraError>

    private struct State {
      var delivery: PhotoDelivery
      var continuation: CheckedContinuation<Outcome, Never>?
    }

    private let source: CaptureSource
    private let depthKind: DepthPhotoSettings.DepthKind?
    private let state: Mutex<State>

    init(
      _ delivery: PhotoDelivery, source: CaptureSource, depthKind: DepthPhotoSettings.DepthKind?
    ) {
      self.source = source
      self.depthKind = depthKind
      state = Mutex(State(delivery: delivery))
    }

    /// Sets the consumer of the result.
    func deliver(to continuation: CheckedContinuation<Outcome, Never>) {
      state.withLock { $0.continuation = continuation }
    }

    func photoOutput(
      _ output: AVCapturePhotoOutput,
      willBeginCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings
    ) {
      let (count, hasFlash) = (
        resolvedSettings.expectedPhotoCount, resolvedSettings.isFlashEnabled
      )
      state.withLock { $0.delivery.begin(expectedCount: count, hasFlash: hasFlash) }
    }

    func photoOutput(
      _ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto,
      error: (any Error)?
    ) {
      if let error { return fail(error.localizedDescription) }
      guard let file = photo.fileDataRepresentation() else {
        return fail("a photo came without its file")
      }
      let taken = TakenPhoto(photo, file: [UInt8](file), source: source, depthKind: depthKind)
      state.withLock { $0.delivery.add(taken) }
    }

    func photoOutput(
      _ output: AVCapturePhotoOutput, didFinishProcessingLivePhotoToMovieFileAt outputFileURL: URL,
      duration: CMTime, photoDisplayTime: CMTime,
      resolvedSettings: AVCaptureResolvedPhotoSettings, error: (any Error)?
    ) {
      if let error { return fail(error.localizedDescription) }
      let path = outputFileURL.path(percentEncoded: false)
      state.withLock { $0.delivery.add(moviePath: path) }
    }

    func photoOutput(
      _ output: AVCapturePhotoOutput,
      didFinishCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings, error: (any Error)?
    ) {
      if let error { fail(error.localizedDescription) }
      let (continuation, outcome) = state.withLock { state in
        defer { state.continuation = nil }
        return (state.continuation, state.delivery.finish())
      }
      if let outcome { continuation?.resume(returning: outcome) }
    }

    private func fail(_ text: String) { state.withLock { $0.delivery.fail(text) } }
  }

  extension TakenPhoto {
    /// All that the system delivers with a photo, read while its call lasts.
    fileprivate init(
      _ photo: AVCapturePhoto, file: [UInt8], source: CaptureSource,
      depthKind: DepthPhotoSettings.DepthKind?
    ) {
      var capture = Capture(source: source)
      if let data = photo.depthData {
        let type = DepthPixelType(fourCharacterCode: data.depthDataType)
        if let type, case let wanted = type.converted(to: depthKind), wanted != type {
          capture.add(data.converting(toDepthDataType: wanted.fourCharacterCode))
        } else {
          capture.add(data)
        }
      }
      if let calibration = photo.cameraCalibrationData {
        capture.setColorCalibration(DeviceCalibration(calibration))
      }
      self.init(file: file, capture: capture)
      sourceDevice = photo.sourceDeviceType?.rawValue
      bracketIndex = photo.bracketSettings == nil ? nil : max(photo.sequenceCount - 1, 0)
    }
  }
#endif
