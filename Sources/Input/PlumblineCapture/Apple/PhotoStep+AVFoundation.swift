#if os(iOS)
  internal import AVFoundation
  internal import CoreMedia
  internal import PlumblineModel

  extension AVCapturePhotoOutput {
    /// Carries out a step on the output, inside a configuration.
    func carryOut(_ step: PhotoStep) {
      switch step {
      case .setMaximumSize(let size):
        maxPhotoDimensions = CMVideoDimensions(
          width: Int32(clamping: size.width), height: Int32(clamping: size.height))
      case .setMaximumQuality(let quality): maxPhotoQualityPrioritization = quality.prioritization
      case .turnOffContentAwareDistortionCorrection:
        if isContentAwareDistortionCorrectionSupported {
          isContentAwareDistortionCorrectionEnabled = false
        }
      case .setConstituentPhotos(let isOn): isVirtualDeviceConstituentPhotoDeliveryEnabled = isOn
      case .setDepth(let isOn): isDepthDataDeliveryEnabled = isOn
      case .setPortraitMatte(let isOn): isPortraitEffectsMatteDeliveryEnabled = isOn
      case .setSemanticMattes(let kinds):
        enabledSemanticSegmentationMatteTypes = availableSemanticSegmentationMatteTypes.filter {
          $0.kind.map(kinds.contains) ?? false
        }
      case .setLivePhoto(let isOn): isLivePhotoCaptureEnabled = isOn
      case .setConstantColor(let isOn): isConstantColorEnabled = isOn
      case .turnOffDeferredDelivery:
        if isAutoDeferredPhotoDeliverySupported { isAutoDeferredPhotoDeliveryEnabled = false }
      case .turnOffSensorOrientationCompensation:
        if #available(iOS 26, *), isCameraSensorOrientationCompensationSupported {
          isCameraSensorOrientationCompensationEnabled = false
        }
      case .turnOffDeferredStart: _ = turnOffDeferredStart()
      default: break
      }
    }
  }

  extension AVCaptureDevice {
    /// Sets the depth format of the active format for a kind of numbers; the device is locked.
    func chooseDepthFormat(_ kind: DepthPhotoSettings.DepthKind) {
      let formats = activeFormat.supportedDepthDataFormats
      let index = PhotoConfiguration.depthFormatIndex(
        kind, among: formats.map { DepthFormat($0) })
      if let index { activeDepthDataFormat = formats[index] }
    }

    /// What the device adjusts now.
    var adjustments: Set<CameraSettling.Adjustment> {
      var adjustments: Set<CameraSettling.Adjustment> = []
      if isAdjustingExposure { adjustments.insert(.exposure) }
      if isAdjustingFocus { adjustments.insert(.focus) }
      if isAdjustingWhiteBalance { adjustments.insert(.whiteBalance) }
      return adjustments
    }
  }

  extension PhotoCapabilities {
    /// What an output supports that was added to a session with a camera.
    init(_ output: AVCapturePhotoOutput, _ camera: AVCaptureDevice, prepared: PhotoPreparation) {
      var mattes = Set(output.availableSemanticSegmentationMatteTypes.compactMap(\.kind))
      if output.isPortraitEffectsMatteDeliverySupported { mattes.insert(.portraitEffects) }
      var enabled = prepared
      enabled.depth = output.isDepthDataDeliveryEnabled
      enabled.dualPhotos = output.isVirtualDeviceConstituentPhotoDeliveryEnabled
      enabled.mattes = Set(output.enabledSemanticSegmentationMatteTypes.compactMap(\.kind))
      if output.isPortraitEffectsMatteDeliveryEnabled { enabled.mattes.insert(.portraitEffects) }
      enabled.livePhoto = output.isLivePhotoCaptureEnabled
      enabled.constantColor = output.isConstantColorEnabled
      self.init(
        supportsDepth: output.isDepthDataDeliverySupported,
        supportsDualPhotos: output.isVirtualDeviceConstituentPhotoDeliverySupported,
        supportedMattes: mattes,
        correctsGeometricDistortion: camera.isGeometricDistortionCorrectionEnabled,
        correctsContentAware: output.isContentAwareDistortionCorrectionEnabled, prepared: enabled)
      let format = camera.activeFormat
      depthKinds = Set(
        format.supportedDepthDataFormats.map { DepthFormat($0) }.filter { !$0.rates.isEmpty }
          .map { $0.type.isDisparity ? .disparity : .depth })
      containers = []
      if output.availablePhotoCodecTypes.contains(.hevc) { containers.insert(.heif) }
      if output.availablePhotoCodecTypes.contains(.jpeg) { containers.insert(.jpeg) }
      flashModes = Set(output.supportedFlashModes.compactMap { DepthPhotoSettings.Flash($0) })
      maximumBracketCount = output.maxBracketedCapturePhotoCount
      exposureBias = Double(camera.minExposureTargetBias)...Double(camera.maxExposureTargetBias)
      // Virtual devices have no manual exposure.
      if camera.isExposureModeSupported(.custom) {
        exposureSeconds = format.minExposureDuration.seconds...format.maxExposureDuration.seconds
        iso = Double(format.minISO)...Double(format.maxISO)
      }
      supportsLivePhoto = output.isLivePhotoCaptureSupported
      isLivePhotoSuspended = output.isLivePhotoCaptureSuspended
      supportsConstantColor = output.isConstantColorSupported
      hasLockedWhiteBalance = camera.whiteBalanceMode == .locked
      photoSizes = format.supportedMaxPhotoDimensions.map {
        RasterSize(width: Int($0.width), height: Int($0.height))
      }
    }
  }

  extension AVSemanticSegmentationMatte.MatteType {
    /// The kind of matte; `nil` for types that are newer than this program.
    var kind: Matte.Kind? {
      switch self {
      case .skin: .skin
      case .hair: .hair
      case .teeth: .teeth
      case .glasses: .glasses
      default: nil
      }
    }
  }

  extension DepthPhotoSettings.Flash {
    /// The mode of AVFoundation; `nil` for modes that are newer than this program.
    fileprivate init?(_ mode: AVCaptureDevice.FlashMode) {
      switch mode {
      case .off: self = .off
      case .on: self = .on
      case .auto: self = .automatic
      @unknown default: return nil
      }
    }
  }

  extension DepthPhotoSettings.Quality {
    /// The value for AVFoundation.
    var prioritization: AVCapturePhotoOutput.QualityPrioritization {
      switch self {
      case .speed: .speed
      case .balanced: .balanced
      case .best: .quality
      }
    }
  }
#endif
