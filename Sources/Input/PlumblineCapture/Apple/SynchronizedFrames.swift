#if canImport(AVFoundation) && canImport(ARKit)
  internal import AVFoundation
  internal import Foundation
  internal import PlumblineModel

  /// Converts synchronized color and depth to captures, only on the queue of their delegate.
  final class SynchronizedFrames: NSObject, AVCaptureDataOutputSynchronizerDelegate {
    private let video: AVCaptureVideoDataOutput
    private let depth: AVCaptureDepthDataOutput
    private let device: AVCaptureDevice
    private let buffer: DepthCameraEventBuffer
    private let source: CaptureSource
    private let sensor: SensorOrientation
    private let held: HeldOrientation
    private var governor: ThermalGovernor

    init(
      video: AVCaptureVideoDataOutput, depth: AVCaptureDepthDataOutput, device: AVCaptureDevice,
      choice: FormatChoice, held: HeldOrientation, buffer: DepthCameraEventBuffer
    ) {
      self.video = video
      self.depth = depth
      self.device = device
      self.held = held
      self.buffer = buffer
      var source = CaptureSource(camera: choice.device.camera, interface: .avfoundation)
      source.make = "Apple"
      source.lensModel = device.localizedName
      source.system = ProcessInfo.processInfo.operatingSystemVersionString
      source.isGeometryCorrected = device.isGeometricDistortionCorrectionEnabled
      self.source = source
      sensor = SensorOrientation(
        interface: .avfoundation, isAtFront: choice.device.isAtFront,
        isMirroredByConnection: video.connection(with: .video)?.isVideoMirrored ?? false)
      governor = ThermalGovernor(
        ThermalPolicy(
          fullFramesPerSecond: choice.depthFramesPerSecond,
          leastFramesPerSecond: device.activeDepthDataFormat?.rates.lowerBound ?? 0))
    }

    func dataOutputSynchronizer(
      _ synchronizer: AVCaptureDataOutputSynchronizer,
      didOutput collection: AVCaptureSynchronizedDataCollection
    ) {
      let image = collection.synchronizedData(for: video) as? AVCaptureSynchronizedSampleBufferData
      let map = collection.synchronizedData(for: depth) as? AVCaptureSynchronizedDepthData
      adjustRate(at: (image?.timestamp ?? map?.timestamp)?.seconds)
      if let image, image.sampleBufferWasDropped { drop(image.timestamp, image.droppedReason) }
      guard let map else {
        // A missing depth map at this time is not a loss, since depth has a lower rate than color.
        return
      }
      if map.depthDataWasDropped { return drop(map.timestamp, map.droppedReason) }
      var capture = Capture(source: source)
      capture.timestampSeconds = map.timestamp.seconds
      let orientation = sensor.uprightFromStored(held: held.current)
      capture.colorOrientation = orientation
      capture.add(map.depthData)
      capture.depth?.orientation = orientation
      if let image, !image.sampleBufferWasDropped, let color = image.sampleBuffer.imageBuffer?.color
      {
        capture.color = color
        capture.colorSize = color.size
        capture.fillCalibration(of: image.sampleBuffer)
      }
      buffer.offer(.capture(capture))
    }

    private func drop(_ time: CMTime, _ reason: AVCaptureOutput.DataDroppedReason) {
      let known: DroppedFrame.Reason? =
        switch reason {
        case .lateData: .lateData
        case .outOfBuffers: .outOfBuffers
        case .discontinuity: .discontinuity
        default: nil
        }
      buffer.offer(
        .dropped(DroppedFrame(timestampSeconds: time.seconds, reason: known ?? .lateData)))
    }

    /// Adjusts to the camera's own thermal state: first lower rates, then a stop, which is
    /// reported.
    private func adjustRate(at seconds: Double?) {
      guard let seconds else { return }
      let reading = ThermalReading(device.systemPressureState)
      if reading != governor.reading { buffer.offer(.thermal(reading)) }
      guard let change = governor.take(reading, at: seconds) else { return }
      buffer.offer(.depthRate(change))
      if change.isStop {
        buffer.finish()
      } else if (try? device.lockForConfiguration()) != nil {
        device.activeDepthDataMinFrameDuration = .frame(at: change.framesPerSecond)
        device.unlockForConfiguration()
      }
    }
  }
#endif
