/// The configuration of a stream for an adapter, as a sequence of steps.
package struct DepthStreamConfiguration: Hashable, Sendable {
  /// The formats and rates.
  package let choice: FormatChoice
  /// The settings.
  package let settings: DepthStreamSettings
  /// The steps, in this order.
  package let steps: [ConfigurationStep]
  /// The settings that the device does not support, and the consequences of the others.
  package let remarks: [String]

  /// Plans a configuration.
  ///
  /// Distortion correction is set first, since formats, calibrations and their support depend on
  /// it. It is checked again after the session's configuration is committed.
  /// - Source: Apple, *AVCaptureDevice*: a device is locked while it is changed, and the video
  ///   format is set before its depth format, both inside the session's configuration.
  package init(
    choice: FormatChoice, settings: DepthStreamSettings = .metrology,
    capabilities: DepthStreamCapabilities
  ) {
    self.choice = choice
    self.settings = settings
    let correction = settings.correctsGeometricDistortion
    let wantsMatrix = settings.deliversIntrinsics
    var steps: [ConfigurationStep] = []
    var remarks = choice.remarks
    if capabilities.canCorrectGeometricDistortion {
      steps += [.lockDevice, .setGeometricDistortionCorrection(correction), .unlockDevice]
    }
    steps += [
      .beginConfiguration, .addDeviceInput(choice.device), .setInputPriority,
      .addVideoOutput(discardsLateFrames: settings.discardsLateData),
      .addDepthOutput(
        isFiltered: settings.isFiltered, discardsLateData: settings.discardsLateData),
      .lockDevice, .setFormat(index: choice.formatIndex),
      .setDepthFormat(index: choice.depthFormatIndex),
      .setVideoRate(framesPerSecond: choice.videoFramesPerSecond),
    ]
    if let cap = choice.depthFramesPerSecondCap {
      steps.append(.capDepthRate(framesPerSecond: cap))
    }
    steps.append(.unlockDevice)
    if capabilities.canDeliverIntrinsics {
      // The connection exists only from here on, and the format determines what it supports.
      steps.append(.setIntrinsicsDelivery(wantsMatrix))
    }
    steps += [.synchronizeVideoFirst, .commitConfiguration]
    if capabilities.canCorrectGeometricDistortion {
      steps.append(.verifyGeometricDistortionCorrection(correction))
    }
    steps.append(.startRunning)
    self.steps = steps
    var effective = settings
    if !capabilities.canCorrectGeometricDistortion { effective.correctsGeometricDistortion = false }
    if !capabilities.canDeliverIntrinsics { effective.deliversIntrinsics = false }
    remarks += effective.remarks
    self.remarks = remarks
  }
}

/// One step of an adapter on a session, its device or its outputs.
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
  /// `isCameraIntrinsicMatrixDeliveryEnabled` of the video connection.
  case setIntrinsicsDelivery(Bool)
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
  /// `activeVideoMinFrameDuration` and `activeVideoMaxFrameDuration`.
  case setVideoRate(framesPerSecond: Double)
  /// `activeDepthDataMinFrameDuration`; iOS 12.
  case capDepthRate(framesPerSecond: Double)
  /// `AVCaptureDataOutputSynchronizer` with the video output first, which makes it the master.
  case synchronizeVideoFirst
  /// Compares `isGeometricDistortionCorrectionEnabled` with the setting, and reports a difference.
  case verifyGeometricDistortionCorrection(Bool)
  /// `session.startRunning()`, not on the main thread.
  case startRunning
}

extension DepthStreamConfiguration {
  /// The remaining steps when a configuration ends early, by a failure or by a stop.
  ///
  /// A session whose configuration is never committed cannot be stopped: AVFoundation throws an
  /// exception, which ends a Swift program. A device that stays locked is not available to other
  /// programs.
  /// - Source: Apple, *AVCaptureSession.beginConfiguration()*: each call has its
  ///   `commitConfiguration()`, and neither `startRunning()` nor `stopRunning()` may be called in
  ///   between.
  /// - Parameter done: The completed steps, in their order.
  /// - Returns: The steps that close what is open, the last opened first.
  package static func unwinding(_ done: some Sequence<ConfigurationStep>) -> [ConfigurationStep] {
    var open: [ConfigurationStep] = []
    for step in done {
      switch step {
      case .beginConfiguration: open.append(.commitConfiguration)
      case .lockDevice: open.append(.unlockDevice)
      case .commitConfiguration, .unlockDevice: open.removeAll { $0 == step }
      default: break
      }
    }
    return open.reversed()
  }
}
