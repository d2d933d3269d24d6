#if os(iOS)
  internal import AVFoundation
  internal import CoreMedia
  internal import Foundation
  internal import PlumblineModel

  extension DepthPhotoSettings {
    /// Settings for one capture, which AVFoundation accepts if ``problems(on:)`` is empty.
    ///
    /// They are new each time: settings that are used twice raise an exception.
    func request(_ output: AVCapturePhotoOutput, _ camera: AVCaptureDevice)
      -> AVCapturePhotoSettings
    {
      let codec: AVVideoCodecType = container == .jpeg ? .jpeg : .hevc
      let format = [AVVideoCodecKey: codec]
      guard let bracket else {
        let request = AVCapturePhotoSettings(format: format)
        setCommon(of: request, camera)
        setDepth(of: request, output)
        setLight(of: request, output)
        return request
      }
      // Nothing else is honored in a bracket, and some of it raises an exception.
      let request = AVCapturePhotoBracketSettings(
        rawPixelFormatType: 0, processedFormat: format, bracketedSettings: bracket.exposures)
      setCommon(of: request, camera)
      request.photoQualityPrioritization = .speed
      return request
    }

    private func setCommon(of request: AVCapturePhotoSettings, _ camera: AVCaptureDevice) {
      request.photoQualityPrioritization = quality.prioritization
      if camera.isVirtualDevice { request.isAutoVirtualDeviceFusionEnabled = fusesCameras }
      if let maximumSize {
        request.maxPhotoDimensions = CMVideoDimensions(
          width: Int32(clamping: maximumSize.width), height: Int32(clamping: maximumSize.height))
      }
      if deliversDualPhotos {
        request.virtualDeviceConstituentPhotoDeliveryEnabledDevices = camera.constituentDevices
      }
    }

    private func setDepth(of request: AVCapturePhotoSettings, _ output: AVCapturePhotoOutput) {
      request.isDepthDataDeliveryEnabled = deliversDepth
      request.isDepthDataFiltered = isFiltered
      request.embedsDepthDataInPhoto = embedsDepth
      request.isCameraCalibrationDataDeliveryEnabled = deliversCalibration
      request.isPortraitEffectsMatteDeliveryEnabled = mattes.contains(.portraitEffects)
      request.enabledSemanticSegmentationMatteTypes =
        output.enabledSemanticSegmentationMatteTypes.filter {
          $0.kind.map(mattes.contains) ?? false
        }
    }

    private func setLight(of request: AVCapturePhotoSettings, _ output: AVCapturePhotoOutput) {
      if output.supportedFlashModes.contains(flash.mode) { request.flashMode = flash.mode }
      if takesLivePhoto {
        request.livePhotoMovieFileURL = FileManager.default.temporaryDirectory
          .appendingPathComponent(UUID().uuidString + ".mov")
      }
      if hasConstantColor { request.isConstantColorEnabled = true }
    }
  }

  extension DepthPhotoSettings.Bracket {
    /// The exposures for AVFoundation.
    fileprivate var exposures: [AVCaptureBracketedStillImageSettings] {
      switch self {
      case .exposureBias(let values):
        values.map {
          AVCaptureAutoExposureBracketedStillImageSettings
            .autoExposureSettings(exposureTargetBias: Float($0))
        }
      case .manual(let exposures):
        exposures.map {
          AVCaptureManualExposureBracketedStillImageSettings.manualExposureSettings(
            exposureDuration: CMTime(seconds: $0.seconds, preferredTimescale: 1_000_000),
            iso: Float($0.iso))
        }
      }
    }
  }

  extension DepthPhotoSettings.Flash {
    /// The mode for AVFoundation.
    fileprivate var mode: AVCaptureDevice.FlashMode {
      switch self {
      case .off: .off
      case .automatic: .auto
      case .on: .on
      }
    }
  }
#endif
