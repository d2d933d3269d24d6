package import PlumblineModel

/// The configuration of a photo output for an adapter, as steps in two parts.
///
/// What an output supports is known only after it was added to a session with a camera and a
/// preset, so the second part is planned then. Each property can reset a later one, hence the order.
/// - Source: Apple, `AVCapturePhotoOutput.h`: enabling what is not supported raises an exception;
///   support changes with the session's configuration; semantic mattes are emptied when the
///   available ones change; what is enabled before the start needs no later reconfiguration.
package struct PhotoConfiguration: Hashable, Sendable {
  /// The steps up to the question what the output supports.
  ///
  /// Distortion correction is turned off first where calibrations are wanted, since formats and
  /// support depend on it.
  /// - Parameters:
  ///   - device: The camera.
  ///   - settings: The settings of its photos.
  ///   - canCorrect: `isGeometricDistortionCorrectionSupported` of the device.
  /// - Returns: The steps, in this order.
  package static func opening(
    _ device: DepthDevice, _ settings: DepthPhotoSettings,
    canCorrectGeometricDistortion canCorrect: Bool
  ) -> [PhotoStep] {
    var steps: [PhotoStep] = []
    if canCorrect, settings.deliversCalibration {
      steps += [.lockDevice, .turnOffGeometricDistortionCorrection, .unlockDevice]
    }
    steps += [.beginConfiguration, .addDeviceInput(device), .usePhotoPreset]
    if settings.takesLivePhoto { steps.append(.addAudioInputIfAllowed) }
    return steps + [.addPhotoOutput]
  }

  /// The steps after the question, up to a running session.
  ///
  /// What is unwanted is turned off explicitly, since several properties are on by default. What is
  /// wanted and not supported is left out; ``DepthPhotoSettings/problems(on:)`` then names it.
  /// - Parameters:
  ///   - settings: The settings of the photos.
  ///   - output: The answer to the question.
  /// - Returns: The steps, in this order.
  package static func preparing(
    _ settings: DepthPhotoSettings, on output: PhotoCapabilities
  ) -> [PhotoStep] {
    let wanted = settings.preparation
    var steps: [PhotoStep] = []
    if let size = wanted.maximumSize, output.photoSizes.contains(size) {
      steps.append(.setMaximumSize(size))
    }
    let mattes = wanted.mattes.intersection(output.supportedMattes)
    let hasDepth = wanted.depth && output.supportsDepth
    steps += [
      .setMaximumQuality(wanted.quality), .turnOffContentAwareDistortionCorrection,
      .setConstituentPhotos(wanted.dualPhotos && output.supportsDualPhotos),
      .setDepth(hasDepth),
      .setPortraitMatte(hasDepth && mattes.contains(.portraitEffects)),
      .setSemanticMattes(mattes.subtracting([.portraitEffects])),
      .setLivePhoto(wanted.livePhoto && output.supportsLivePhoto),
      .setConstantColor(wanted.constantColor && output.supportsConstantColor),
      .turnOffDeferredDelivery, .turnOffSensorOrientationCompensation, .turnOffDeferredStart,
      .commitConfiguration,
    ]
    if hasDepth, let kind = settings.depthKind, output.depthKinds.contains(kind) {
      steps += [.lockDevice, .chooseDepthFormat(kind), .unlockDevice]
    }
    return steps + [.startRunning]
  }

  /// The remaining steps when a configuration ends early; the last opened is closed first.
  package static func unwinding(_ done: some Sequence<PhotoStep>) -> [PhotoStep] {
    done.closingSteps
  }

  /// The depth format for a kind of numbers: the one with the most pixels, of these the one with the
  /// most precise numbers; `nil` if none has the kind.
  ///
  /// - Parameters:
  ///   - kind: The kind of numbers.
  ///   - formats: `supportedDepthDataFormats` of the active format.
  /// - Returns: Its index.
  package static func depthFormatIndex(
    _ kind: DepthPhotoSettings.DepthKind, among formats: [DepthFormat]
  ) -> Int? {
    formats.indices.filter {
      !formats[$0].rates.isEmpty && formats[$0].type.isDisparity == (kind == .disparity)
    }.max { a, b in
      let (a, b) = (formats[a], formats[b])
      return (a.size.pixelCount, a.type.bytesPerPixel) < (b.size.pixelCount, b.type.bytesPerPixel)
    }
  }
}

/// One step of an adapter on a session for photos.
package enum PhotoStep: Hashable, Sendable {
  /// `device.lockForConfiguration()`.
  case lockDevice
  /// `device.unlockForConfiguration()`.
  case unlockDevice
  /// `device.isGeometricDistortionCorrectionEnabled = false`.
  case turnOffGeometricDistortionCorrection
  /// `session.beginConfiguration()`.
  case beginConfiguration
  /// `session.commitConfiguration()`.
  case commitConfiguration
  /// `session.addInput(…)` of the device.
  case addDeviceInput(DepthDevice)
  /// `session.sessionPreset = .photo`; it excludes `activeFormat`.
  case usePhotoPreset
  /// `session.addInput(…)` of the microphone, for the sound of Live Photos; without permission they
  /// are silent.
  case addAudioInputIfAllowed
  /// `session.addOutput(AVCapturePhotoOutput())`.
  case addPhotoOutput
  /// `output.maxPhotoDimensions`; iOS 16.
  case setMaximumSize(RasterSize)
  /// `output.maxPhotoQualityPrioritization`.
  case setMaximumQuality(DepthPhotoSettings.Quality)
  /// `output.isContentAwareDistortionCorrectionEnabled = false`: it moves faces, and excludes
  /// calibrations.
  case turnOffContentAwareDistortionCorrection
  /// `output.isVirtualDeviceConstituentPhotoDeliveryEnabled`.
  case setConstituentPhotos(Bool)
  /// `output.isDepthDataDeliveryEnabled`.
  case setDepth(Bool)
  /// `output.isPortraitEffectsMatteDeliveryEnabled`.
  case setPortraitMatte(Bool)
  /// `output.enabledSemanticSegmentationMatteTypes`.
  case setSemanticMattes(Set<Matte.Kind>)
  /// `output.isLivePhotoCaptureEnabled`.
  case setLivePhoto(Bool)
  /// `output.isConstantColorEnabled`; iOS 18.
  case setConstantColor(Bool)
  /// `output.isAutoDeferredPhotoDeliveryEnabled = false`; iOS 17.
  case turnOffDeferredDelivery
  /// `output.isCameraSensorOrientationCompensationEnabled = false`: it turns pixels; iOS 26.
  case turnOffSensorOrientationCompensation
  /// `output.isDeferredStartEnabled = false`: otherwise the output starts after `startRunning()` has
  /// returned; iOS 26.
  case turnOffDeferredStart
  /// `device.activeDepthDataFormat`, by ``PhotoConfiguration/depthFormatIndex(_:among:)``.
  case chooseDepthFormat(DepthPhotoSettings.DepthKind)
  /// `session.startRunning()`, not on the main thread.
  case startRunning

  /// The step in words, for an error.
  package var words: String {
    switch self {
    case .addDeviceInput(let device): "open \(device.rawValue)"
    case .lockDevice: "be locked"
    case .addPhotoOutput: "deliver photos"
    case .chooseDepthFormat(let kind): "measure \(kind.rawValue)"
    default: "be configured for photos"
    }
  }
}
