#if os(iOS)
  internal import AVFoundation
  internal import CoreMedia
  internal import Foundation
  internal import PlumblineModel

  /// Converts synchronized color and depth to captures, only on the queue of their delegate.
  final class SynchronizedFrames: NSObject, AVCaptureDataOutputSynchronizerDelegate {
    private let video: AVCaptureVideoDataOutput
    private let depth: AVCaptureDepthDataOutput
    private let device: AVCaptureDevice
    private let choice: FormatChoice
    private let buffer: DepthCameraEventBuffer
    private let tracking: SessionTracking?
    private let source: CaptureSource
    private let sensor: SensorOrientation
    private let held: HeldOrientation
    private let color: LiveColor
    private var files: ColorFiles
    private var governor: ThermalGovernor

    init(
      video: AVCaptureVideoDataOutput, depth: AVCaptureDepthDataOutput, device: AVCaptureDevice,
      choice: FormatChoice, held: HeldOrientation, color: LiveColor, tracking: SessionTracking?,
      buffer: DepthCameraEventBuffer
    ) {
      self.video = video
      self.depth = depth
      self.device = device
      self.choice = choice
      self.held = held
      self.color = color
      self.tracking = tracking
      self.buffer = buffer
      files = ColorFiles(color)
      var source = CaptureSource(appleCamera: choice.device.camera, interface: .avfoundation)
      source.lensModel = device.localizedName
      source.isGeometryCorrected = device.isGeometricDistortionCorrectionEnabled
      self.source = source
      sensor = SensorOrientation(
        interface: .avfoundation, isAtFront: choice.device.isAtFront,
        isMirroredByConnection: video.connection(with: .video)?.isVideoMirrored ?? false)
      governor = ThermalGovernor(
        ThermalPolicy(
          fullFramesPerSecond: choice.depthFramesPerSecond,
          leastFramesPerSecond: choice.depth.framesPerSecond.lowerBound))
    }

    func dataOutputSynchronizer(
      _ synchronizer: AVCaptureDataOutputSynchronizer,
      didOutput collection: AVCaptureSynchronizedDataCollection
    ) {
      tracking?.take(.frame)
      let image = collection.synchronizedData(for: video) as? AVCaptureSynchronizedSampleBufferData
      let map = collection.synchronizedData(for: depth) as? AVCaptureSynchronizedDepthData
      adjustRate(at: (image?.timestamp ?? map?.timestamp)?.seconds)
      if let image, image.sampleBufferWasDropped {
        drop(.color, image.timestamp, image.droppedReason)
      }
      guard let map else {
        // A missing depth map at this time is not a loss, since depth has a lower rate than color.
        return
      }
      if map.depthDataWasDropped { return drop(.depth, map.timestamp, map.droppedReason) }
      var capture = Capture(source: source)
      capture.timestampSeconds = map.timestamp.seconds
      let orientation = sensor.uprightFromStored(held: held.current)
      capture.colorOrientation = orientation
      capture.add(map.depthData)
      capture.depth?.orientation = orientation
      if let image, !image.sampleBufferWasDropped,
        let pixels = image.sampleBuffer.imageBuffer
      {
        files.setColor(pixels, as: color, of: &capture)
        capture.fillColorCalibration(of: image.sampleBuffer)
      }
      buffer.offer(.capture(capture))
    }

    private func drop(
      _ stream: FrameStream, _ time: CMTime, _ reason: AVCaptureOutput.DataDroppedReason
    ) {
      let known: DroppedFrame.Reason? =
        switch reason {
        case .lateData: .lateData
        case .outOfBuffers: .outOfBuffers
        case .discontinuity: .discontinuity
        default: nil
        }
      buffer.offer(
        .dropped(
          DroppedFrame(
            timestampSeconds: time.seconds, reason: known ?? .lateData, stream: stream)))
    }

    /// Adjusts to the camera's own thermal state: first lower rates, then a stop of depth alone,
    /// which lasts until the device has cooled.
    private func adjustRate(at seconds: Double?) {
      guard let seconds else { return }
      let reading = ThermalReading(device.systemPressureState)
      if reading != governor.reading { buffer.offer(.thermal(reading)) }
      guard let change = governor.take(reading, at: seconds) else { return }
      buffer.offer(.depthRate(change))
      guard (try? device.lockForConfiguration()) != nil else { return }
      device.activeDepthDataMinFrameDuration =
        change.isStop
        ? .positiveInfinity : choice.depthDuration(framesPerSecond: change.framesPerSecond).time
      device.unlockForConfiguration()
    }
  }
#endif
