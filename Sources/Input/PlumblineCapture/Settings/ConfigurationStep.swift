/// One step of an adapter on a session, its device, its outputs or their connections.
package enum ConfigurationStep: Hashable, Sendable {
  /// `session.beginConfiguration()`.
  case beginConfiguration
  /// `session.commitConfiguration()`.
  case commitConfiguration
  /// `session.addInput(…)` of the device.
  case addDeviceInput(DepthDevice)
  /// `session.sessionPreset = .inputPriority`, so that the device's own format is used.
  case setInputPriority
  /// `session.addOutput(AVCaptureVideoDataOutput())`.
  case addVideoOutput(discardsLateFrames: Bool)
  /// `session.addOutput(AVCaptureDepthDataOutput())` with `isFilteringEnabled` and
  /// `alwaysDiscardsLateDepthData`.
  case addDepthOutput(isFiltered: Bool, discardsLateData: Bool)
  /// `device.lockForConfiguration()`.
  case lockDevice
  /// `device.unlockForConfiguration()`.
  case unlockDevice
  /// `device.isGeometricDistortionCorrectionEnabled`.
  case setGeometricDistortionCorrection(Bool)
  /// `device.activeFormat`, by its index in `formats`.
  case setFormat(index: Int)
  /// `device.activeDepthDataFormat`, by its index in the format's `supportedDepthDataFormats`.
  case setDepthFormat(index: Int)
  /// `device.isAutoVideoFrameRateEnabled = false`; iOS 18.
  case turnOffAutomaticFrameRate
  /// `activeVideoMinFrameDuration` and `activeVideoMaxFrameDuration`.
  case setVideoDuration(FrameDuration)
  /// `activeDepthDataMinFrameDuration`; iOS 12.
  case setDepthDuration(FrameDuration)
  /// `device.videoZoomFactor`.
  case setZoom(factor: Double)
  /// `videoSettings` with this type, if it is in `availableVideoPixelFormatTypes`.
  case setVideoPixelType(VideoPixelType)
  /// `videoRotationAngle` of a connection, if `isVideoRotationAngleSupported`; iOS 17.
  ///
  /// The front connections of iPads from 2024 on start with 180, which turns pixels.
  /// - Source: Apple, `AVCaptureSession.h`.
  case setRotation(FrameStream, degrees: Int)
  /// `automaticallyAdjustsVideoMirroring` and `isVideoMirrored`, both `false`.
  case turnOffMirroring(FrameStream)
  /// `preferredVideoStabilizationMode = .off` of the video connection.
  case turnOffStabilization
  /// `isCameraIntrinsicMatrixDeliveryEnabled` of the video connection.
  case setIntrinsicsDelivery(Bool)
  /// `isDeferredStartEnabled = false` of an output; iOS 26.
  case turnOffDeferredStart(FrameStream)
  /// `AVCaptureDataOutputSynchronizer` with the video output first, which makes it the master.
  case synchronizeVideoFirst
  /// Compares `isGeometricDistortionCorrectionEnabled` with the setting, and reports a difference.
  case verifyGeometricDistortionCorrection(Bool)
  /// Compares `activeFormat` with the format of this index: a session with a preset replaces it.
  case verifyFormat(index: Int)
  /// `session.startRunning()`, not on the main thread.
  case startRunning
}

extension ConfigurationStep {
  /// What follows from a step that the device or its connection does not support.
  package enum Consequence: Hashable, Sendable {
    /// The camera does not start.
    case failure
    /// The camera starts, and this sentence is reported.
    case remark(String)
    /// Nothing: what the step would turn off is not there.
    case nothing
  }

  /// The consequence if the device does not support the step.
  package var ifUnsupported: Consequence {
    switch self {
    case .setIntrinsicsDelivery(let isWanted):
      isWanted
        ? .remark("this camera gives no matrix for each frame; that of the depth map holds")
        : .nothing
    case .setRotation(let stream, _):
      .remark("the rotation of \(stream.rawValue) cannot be set; images may be turned by 180°")
    case .turnOffMirroring, .turnOffAutomaticFrameRate, .turnOffDeferredStart,
      .turnOffStabilization:
      .nothing
    case .setZoom(let factor):
      .remark("the zoom of \(rateText(factor))×, at which depth is delivered, cannot be set")
    default: .failure
    }
  }

  /// The step in words, for an error.
  package var words: String {
    switch self {
    case .beginConfiguration: "begin the configuration"
    case .commitConfiguration: "commit the configuration"
    case .addDeviceInput(let device): "open \(device.rawValue)"
    case .setInputPriority: "use the camera's own formats"
    case .addVideoOutput: "deliver video"
    case .addDepthOutput: "deliver depth"
    case .lockDevice: "be locked"
    case .unlockDevice: "be unlocked"
    case .setGeometricDistortionCorrection(let isOn):
      "turn geometric distortion correction \(isOn ? "on" : "off")"
    case .setFormat, .verifyFormat: "keep the chosen video format"
    case .setDepthFormat: "use the chosen depth format"
    case .turnOffAutomaticFrameRate: "keep a fixed frame rate"
    case .setVideoDuration(let duration): "run video at \(rateText(duration.framesPerSecond)) fps"
    case .setDepthDuration(let duration): "run depth at \(rateText(duration.framesPerSecond)) fps"
    case .setZoom(let factor): "zoom to \(rateText(factor))×"
    case .setVideoPixelType(let type): "deliver pixels of type \(type)"
    case .setRotation(let stream, let degrees): "turn \(stream.rawValue) by \(degrees)°"
    case .turnOffMirroring(let stream): "leave \(stream.rawValue) unmirrored"
    case .turnOffStabilization: "turn stabilization off"
    case .setIntrinsicsDelivery: "deliver a camera matrix with each frame"
    case .turnOffDeferredStart(let stream): "start \(stream.rawValue) at once"
    case .synchronizeVideoFirst: "synchronize depth with video"
    case .verifyGeometricDistortionCorrection(let isOn):
      "keep geometric distortion correction \(isOn ? "on" : "off")"
    case .startRunning: "start"
    }
  }
}
