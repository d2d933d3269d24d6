#if os(iOS)
  internal import AVFoundation
  internal import CoreMedia
  internal import CoreVideo
  internal import Foundation

  extension AVCaptureSession {
    /// Adds an input; returns whether the session allows it.
    func add(_ input: AVCaptureInput) -> Bool {
      guard canAddInput(input) else { return false }
      addInput(input)
      return true
    }

    /// Adds an output; returns whether the session allows it.
    func add(_ output: AVCaptureOutput) -> Bool {
      guard canAddOutput(output) else { return false }
      addOutput(output)
      return true
    }
  }

  extension AVCaptureDevice {
    /// Carries out a step on the locked device.
    ///
    /// - Returns: Whether the device supports it; `nil` for a step that is not about the device.
    func carryOut(_ step: ConfigurationStep) -> Bool? {
      switch step {
      case .setGeometricDistortionCorrection(let isOn):
        isGeometricDistortionCorrectionEnabled = isOn
      case .setFormat(let index): activeFormat = formats[index]
      case .setDepthFormat(let index):
        activeDepthDataFormat = activeFormat.supportedDepthDataFormats[index]
      case .turnOffAutomaticFrameRate:
        guard activeFormat.isAutoVideoFrameRateSupported else { return false }
        isAutoVideoFrameRateEnabled = false
      case .setVideoDuration(let duration):
        activeVideoMinFrameDuration = duration.time
        activeVideoMaxFrameDuration = duration.time
      case .setDepthDuration(let duration): activeDepthDataMinFrameDuration = duration.time
      case .setZoom(let factor):
        let zoom = CGFloat(factor)
        guard zoom >= minAvailableVideoZoomFactor, zoom <= maxAvailableVideoZoomFactor else {
          return false
        }
        videoZoomFactor = zoom
      default: return nil
      }
      return true
    }
  }

  extension ConfigurationStep {
    /// Carries out a step on the outputs and their connections.
    ///
    /// - Returns: Whether they support it; `nil` for a step that is not about them.
    func carryOut(
      video: AVCaptureVideoDataOutput, depth: AVCaptureDepthDataOutput
    ) -> Bool? {
      func connection(_ stream: FrameStream) -> AVCaptureConnection? {
        stream == .depth ? depth.connection(with: .depthData) : video.connection(with: .video)
      }
      switch self {
      case .setVideoPixelType(let type):
        let code = type.fourCharacterCode
        guard video.availableVideoPixelFormatTypes.contains(code) else { return false }
        video.videoSettings = ["\(kCVPixelBufferPixelFormatTypeKey)": code]
      case .setRotation(let stream, let degrees):
        let angle = CGFloat(degrees)
        guard let connection = connection(stream), connection.isVideoRotationAngleSupported(angle)
        else { return false }
        connection.videoRotationAngle = angle
      case .turnOffMirroring(let stream):
        guard let connection = connection(stream), connection.isVideoMirroringSupported else {
          return false
        }
        connection.automaticallyAdjustsVideoMirroring = false
        connection.isVideoMirrored = false
      case .turnOffStabilization:
        guard let connection = connection(.color), connection.isVideoStabilizationSupported else {
          return false
        }
        connection.preferredVideoStabilizationMode = .off
      case .setIntrinsicsDelivery(let isOn):
        guard let connection = connection(.color),
          connection.isCameraIntrinsicMatrixDeliverySupported
        else { return false }
        connection.isCameraIntrinsicMatrixDeliveryEnabled = isOn
      case .turnOffDeferredStart(let stream):
        return (stream == .depth ? depth : video).turnOffDeferredStart()
      default: return nil
      }
      return true
    }
  }

  extension AVCaptureOutput {
    /// Makes the output start with its session; returns whether it could do otherwise.
    func turnOffDeferredStart() -> Bool {
      guard #available(iOS 26, *), isDeferredStartSupported else { return false }
      isDeferredStartEnabled = false
      return true
    }
  }
#endif
